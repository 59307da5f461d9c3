/// Every operation that can be called from another process, by its name.
public enum OperationTable {
    static let all =
        Operations.identityOperations + Operations.contactOperations + Operations.codeOperations
        + Operations.messageOperations + Operations.sshKeyOperations + Operations.sshHostOperations
        + Operations.hostKeyOperations + Operations.secretOperations + Operations.secretChangeOperations
        + Operations.giftOperations + Operations.shareOperations
        + Operations.itemOperations + Operations.itemChangeOperations
        + Operations.transferOperations + Operations.policyOperations + Operations.textOperations
        + Operations.machineOperations
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of all of them, in order.
    public static var names: [String] { byName.keys.sorted() }

    /// Whether programs on the bus may see other items after an operation.
    package static func changesItems(_ name: String) -> Bool { byName[name]?.items?.isChange == true }

    /// Reads the arguments of a call.
    ///
    /// - Throws: `unknownOperation`; `malformedCall` if the arguments do not fit the operation.
    public static func prepare(_ call: VaultCall) throws(VaultError) -> PreparedCall {
        guard let operation = byName[call.operation] else { throw .unknownOperation }
        return try asVaultError { try operation.prepare(call) }
    }
}

/// The operations of a vault.
public enum Operations {}

/// Which records a list or a look-up is about.
public enum Listing: String, Codable, Sendable {
    /// Those in use.
    case kept
    /// Those in the trash.
    case trash

    /// Those in the trash, or those in use.
    public init(inTrash: Bool) { self = inTrash ? .trash : .kept }
}

/// A call with decoded arguments, ready to be decided and run.
public struct PreparedCall: Sendable {
    /// The call as the policy and the audit log see it.
    public let request: OperationRequest
    private let act: @Sendable (isolated Vault, Caller) throws -> VaultAnswer

    init(
        request: OperationRequest,
        act: @escaping @Sendable (isolated Vault, Caller) throws -> VaultAnswer
    ) {
        self.request = request
        self.act = act
    }

    /// Does it, and encodes the result.
    public func answer(on vault: isolated Vault, for caller: Caller) throws(VaultError) -> VaultAnswer {
        try asVaultError { try act(vault, caller) }
    }
}

/// Who has an operation done, as far as the operation itself depends on it.
public enum Caller: Sendable {
    /// hsip, or the program that opened the vault itself.
    case own
    /// Another program, through an agent: what it looks at leaves no trace.
    case other
    /// A program on the bus, through the agent, for which each item has a verdict.
    case bus(BusAccess)
}
