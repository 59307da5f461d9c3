public import HSIP
internal import RecordStore

/// Every operation that can cross a wall, by its name.
public enum OperationTable {
    static let all =
        Operations.identityOperations + Operations.contactOperations + Operations.codeOperations
        + Operations.messageOperations + Operations.sshKeyOperations + Operations.sshHostOperations
        + Operations.hostKeyOperations + Operations.secretOperations + Operations.secretChangeOperations
        + Operations.transferOperations + Operations.policyOperations + Operations.textOperations
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of all of them, in order.
    public static var names: [String] { byName.keys.sorted() }

    /// What an operation touches; nil for one that is not known.
    public static func touch(of name: String) -> Touch? { byName[name]?.touch }

    /// The call without what it would note in passing: looking at a host's key writes down that it was seen.
    public static func withoutNoting(_ call: VaultCall) -> VaultCall {
        guard call.operation == Operations.checkHostKey.name,
            case .list(var items)? = try? CallValue(encoded: call.arguments), !items.isEmpty
        else { return call }
        items[items.count - 1] = .bool(false)
        return VaultCall(
            operation: call.operation,
            arguments: CallValue.list(items).encoded,
            secrets: call.secrets
        )
    }

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
    /// At most 256 bytes, as much as a rule can name and the log keeps, and never what a secret or a message holds;
    /// empty where a call names nothing, or cannot be read.
    public static func subject(of call: VaultCall) -> String { summary(of: subjects(of: call)) }

    /// Several of them in one text.
    public static func summary(of subjects: [String]) -> String { cut(CallSubjects.summary(of: subjects)) }

    /// The same for a call that is about several things, each by itself, none twice; never empty.
    ///
    /// A verdict is due for each: what a rule refuses is refused, whatever it is asked for together with.
    public static func subjects(of call: VaultCall) -> [String] {
        guard let operation = byName[call.operation], let subjects = try? operation.subjects(of: call),
            !subjects.isEmpty
        else { return [""] }
        var seen: Set<String> = []
        // Names are composed in the vault, whatever a program sends, and so they are in rules.
        return subjects.map { cut(NameRules.normalized($0)) }.filter { seen.insert($0).inserted }
    }

    /// Who made the messages and codes of a call: a rule about a person counts, whether a call names them or not.
    public static func senders(of call: VaultCall) -> [PeerID] {
        guard let operation = byName[call.operation] else { return [] }
        return (try? operation.senders(of: call)) ?? []
    }

    /// Whether a verdict is due for a call as for reading a secret, unless `hsip` does it in front of a person.
    ///
    /// What decides about later verdicts would be a way around every one of them; what tells whether a value is the
    /// right one has read it, once it was asked often enough. So does an operation that is not in the table.
    public static func countsAsRead(_ call: VaultCall) -> Bool {
        (byName[call.operation]?.decidesLater ?? true) || comparesValues(call)
    }

    /// Whether the answer to a call tells if a value that came with it is one that the vault keeps.
    ///
    /// Of passwords that are weak it is told, too, and which of them are the same.
    public static func comparesValues(_ call: VaultCall) -> Bool {
        if comparing.contains(call.operation) { return true }
        guard conditional.contains(call.operation), let operation = byName[call.operation] else {
            return false
        }
        return (try? operation.comparesValues(call)) ?? true
    }

    /// Those that always do: more is not read of their arguments, which may be large.
    private static let comparing: Set<String> = [
        Operations.importCredentials.name, Operations.tryCredentials.name, Operations.takeBundle.name,
        Operations.tryBundle.name, Operations.checkCredentials.name,
    ]
    /// Those that do where an argument says so.
    private static let conditional: Set<String> = [
        Operations.setCredential.name, Operations.removeCredential.name,
    ]

    private static func cut(_ subject: String) -> String {
        guard subject.utf8.count > 256 else { return subject }
        // Cut as bytes: the text may be megabytes of letters that combine.
        let kept = String(decoding: subject.utf8.prefix(253), as: UTF8.self)
        return (kept.hasSuffix("\u{FFFD}") ? String(kept.dropLast()) : kept) + "…"
    }
}

/// The operations, each with the methods that services have for it.
enum Operations {}
