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

    /// The names of all operations, sorted.
    public static var names: [String] { byName.keys.sorted() }

    /// Whether an operation may change the items that programs on the bus see.
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

/// The records of a list or a lookup: in use, or in the trash.
public enum Listing: String, Codable, Sendable {
    /// Records in use.
    case kept
    /// Records in the trash.
    case trash

    /// Chooses records in the trash, or records in use.
    public init(inTrash: Bool) { self = inTrash ? .trash : .kept }
}

/// A call with decoded arguments, ready to be decided and run.
public struct PreparedCall: Sendable {
    /// The call in the form for the policy and the audit log.
    public let request: OperationRequest
    private let act: @Sendable (isolated Vault, Caller) throws -> VaultAnswer

    init(
        request: OperationRequest,
        act: @escaping @Sendable (isolated Vault, Caller) throws -> VaultAnswer
    ) {
        self.request = request
        self.act = act
    }

    /// Runs the call, and encodes the result.
    public func answer(on vault: isolated Vault, for caller: Caller) throws(VaultError) -> VaultAnswer {
        try asVaultError { try act(vault, caller) }
    }
}

/// The caller of an operation, as far as the operation depends on it.
public enum Caller: Sendable {
    /// hsip, or the program that opened the vault itself.
    case own
    /// Another program, through an agent; its lookups leave no trace.
    case other
    /// A program on the bus, through the agent, for which each item has a verdict.
    case bus(BusAccess)
}
