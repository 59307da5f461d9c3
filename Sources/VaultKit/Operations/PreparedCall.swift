/// A call whose arguments were read: what it asks for, and how it is done.
public struct PreparedCall: Sendable {
    /// What policy and log are told of it.
    public let request: OperationRequest
    private let act: @Sendable (isolated Vault, Caller) throws(VaultError) -> VaultAnswer

    init(
        request: OperationRequest,
        act: @escaping @Sendable (isolated Vault, Caller) throws(VaultError) -> VaultAnswer
    ) {
        self.request = request
        self.act = act
    }

    /// Does it, and encodes what came of it.
    public func answer(on vault: isolated Vault, for caller: Caller) throws(VaultError) -> VaultAnswer {
        try act(vault, caller)
    }
}
