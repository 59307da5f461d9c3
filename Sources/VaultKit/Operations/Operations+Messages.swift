public import HSIP
public import Secrets
public import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// The operations on sessions, messages and file keys.
    static var messageOperations: [any AnyOperation] {
        [
            sessions, revokeSessions, importKey, exportKey, encrypt, decrypt, sealFileKey, openFileKey,
        ]
    }

    private static let session = ApprovalQuestion("use the session with %1", nameless: "use a session")

    /// Lists the sessions in use; the sending session of each contact is first.
    public static let sessions = Operation.look("sessions") {
        (vault: isolated Vault, _: Caller) in try vault.sessions()
    }
    /// Ends every session with a contact.
    public static let revokeSessions = Operation(
        "session.revoke",
        .change,
        subjects: { alias, _ in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, alias: String, reason: RevokeReason) in
        try vault.revokeSessions(of: alias, reason: reason)
    }
    /// Imports a 32-byte key of an older HSIP program.
    public static let importKey = Operation(
        "session.import",
        .trust("add a session with %1"),
        subjects: { request in .named(request.alias) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, request: LegacyImport) in
        try vault.importKey(request)
    }
    /// Returns an imported key.
    public static let exportKey = Operation(
        "session.export",
        .values("export the session with %1"),
        subjects: { alias in .named(alias) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, alias: String) in try vault.exportKey(of: alias)
    }
    /// Seals one text for a contact.
    public static let encrypt = Operation(
        "message.encrypt",
        .use(session),
        subjects: { _, alias in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, plaintext: Secret, alias: String) in
        try vault.encrypt(plaintext, to: alias)
    }
    /// Opens one message.
    public static let decrypt = Operation(
        "message.decrypt",
        .use(session),
        subjects: { envelope, alias, _ in .named(alias).sent(by: envelope.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, envelope: MessageEnvelope, alias: String?, isReread: Bool) in
        try vault.decrypt(envelope, from: alias, isReread: isReread)
    }
    /// Makes a fresh key for one file, and the message that carries it to a contact.
    ///
    /// `digest` is the digest of the file (`FileDigest`), 32 bytes; the key depends on it.
    public static let sealFileKey = Operation(
        "file-key.seal",
        .use(session),
        subjects: { alias, _ in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, alias: String, digest: [UInt8]) in
        try vault.sealFileKey(for: alias, digest: digest)
    }
    /// Opens the key of a file from the message that carries it.
    public static let openFileKey = Operation(
        "file-key.open",
        .use(session),
        subjects: { envelope, alias in .named(alias).sent(by: envelope.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, envelope: MessageEnvelope, alias: String?) in
        try vault.openFileKey(envelope, from: alias)
    }
}

extension Operations {
    /// The operations on the history of texts under a typed key.
    static var textOperations: [any AnyOperation] {
        [
            textHistory, setTextHistory, noteText, forgetTexts, clearTextHistory,
        ]
    }

    // Anyone who has these texts can guess their keys, so the operation counts as a read of values.
    /// Returns the history of texts under a typed key.
    public static let textHistory = Operation(
        "text-history",
        .values("read the history of texts encrypted with typed keys"),
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller) in try vault.textHistory()
    }
    /// Switches the history on or off.
    public static let setTextHistory = Operation(
        "text-history.set",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, isOn: Bool) in try vault.setTextHistory(isOn)
    }
    /// Adds a text to the history, if the history is on.
    public static let noteText = Operation(
        "text-history.add",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, entry: TextEntry) in try vault.noteText(entry)
    }
    /// Removes entries by their numbers; an unknown number refuses the whole call.
    public static let forgetTexts = Operation(
        "text-history.remove",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, numbers: [UInt64]) in
        try vault.forgetTexts(numbers)
    }
    /// Removes every entry.
    public static let clearTextHistory = Operation(
        "text-history.clear",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller) in try vault.clearTextHistory()
    }
}
