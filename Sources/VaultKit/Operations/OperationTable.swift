/// Every operation that can be called from another process, by its name.
public enum OperationTable {
    static let all =
        Operations.identityOperations + Operations.contactOperations + Operations.codeOperations
        + Operations.messageOperations + Operations.sshKeyOperations + Operations.sshHostOperations
        + Operations.hostKeyOperations + Operations.secretOperations + Operations.secretChangeOperations
        + Operations.transferOperations + Operations.policyOperations + Operations.textOperations
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of all of them, in order.
    public static var names: [String] { byName.keys.sorted() }

    /// Reads the arguments of a call.
    ///
    /// - Throws: `unknownOperation`; `malformedCall` for arguments that are not those of the operation.
    public static func prepare(_ call: VaultCall) throws(VaultError) -> PreparedCall {
        guard let operation = byName[call.operation] else { throw .unknownOperation }
        return try operation.prepare(call)
    }
}

/// The operations, each with the methods that services have for it.
enum Operations {}
