/// Every operation that can cross a wall, by its name.
public enum OperationTable {
    static let all =
        Operations.people + Operations.codes + Operations.keys + Operations.hosts + Operations.policy
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of all of them, in order.
    public static var names: [String] { byName.keys.sorted() }

    /// What an operation touches; nil for one that is not known.
    public static func touch(of name: String) -> Touch? { byName[name]?.touch }

    /// Does what a call asks of an open vault.
    ///
    /// - Throws: what the vault refuses; `unknownOperation`; `malformedCall` for arguments that are not those of
    ///   the operation.
    public static func answer(_ call: VaultCall, on vault: Vault) async throws(VaultError) -> VaultAnswer {
        guard let operation = byName[call.operation] else { throw .unknownOperation }
        return try await operation.answer(call, on: vault)
    }

    /// Whom or what a call is about, for a question or a log: an alias, the name of a key or a host.
    ///
    /// At most 128 bytes, and never what a secret or a message holds; empty where a call names nothing, or cannot
    /// be read.
    public static func subject(of call: VaultCall) -> String {
        guard let operation = byName[call.operation],
            let subject = try? operation.subject(of: call)
        else { return "" }
        guard subject.utf8.count > 128 else { return subject }
        // Cut as bytes: the text may be megabytes of letters that combine.
        let kept = String(decoding: subject.utf8.prefix(125), as: UTF8.self)
        return (kept.hasSuffix("\u{FFFD}") ? String(kept.dropLast()) : kept) + "…"
    }
}
