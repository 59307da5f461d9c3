internal import Audit
public import HSIP
public import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// Sessions and what goes through them.
    static var messageOperations: [any AnyOperation] {
        [
            sessions, revokeSessions, importKey, exportKey, encrypt, decrypt, sealFileKey, openFileKey,
        ]
    }

    private static let session = ApprovalQuestion("use the session with %1", nameless: "use a session")

    static let sessions = Operation.look("sessions") {
        (vault: isolated Vault) throws(VaultError) in try vault.sessions()
    }
    static let revokeSessions = Operation(
        "session.revoke",
        .change,
        subjects: { alias, _ in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, alias: String, reason: RevokeReason) throws(VaultError) in
        try vault.revokeSessions(of: alias, reason: reason)
    }
    static let importKey = Operation(
        "session.import",
        .trust("add a session with %1"),
        subjects: { request in .named(request.alias) },
        audit: .trust
    ) {
        (vault: isolated Vault, request: LegacyImport) throws(VaultError) in try vault.importKey(request)
    }
    static let exportKey = Operation(
        "session.export",
        .values("export the session with %1"),
        subjects: { alias in .named(alias) },
        audit: .read
    ) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.exportKey(of: alias)
    }
    static let encrypt = Operation(
        "message.encrypt",
        .use(session),
        subjects: { _, alias in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, plaintext: Secret, alias: String) throws(VaultError) in
        try vault.encrypt(plaintext, to: alias)
    }
    static let decrypt = Operation(
        "message.decrypt",
        .use(session),
        subjects: { envelope, alias, _ in .named(alias).sent(by: envelope.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, envelope: MessageEnvelope, alias: String?, isReread: Bool) throws(VaultError)
        in
        try vault.decrypt(envelope, from: alias, isReread: isReread)
    }
    static let sealFileKey = Operation(
        "file-key.seal",
        .use(session),
        subjects: { alias, _ in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, alias: String, digest: [UInt8]) throws(VaultError) in
        try vault.sealFileKey(for: alias, digest: digest)
    }
    static let openFileKey = Operation(
        "file-key.open",
        .use(session),
        subjects: { envelope, alias in .named(alias).sent(by: envelope.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, envelope: MessageEnvelope, alias: String?) throws(VaultError) in
        try vault.openFileKey(envelope, from: alias)
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Every living session, the sending one of each contact first.
    public func sessions() async throws -> [SessionSummary] { try await perform(Operations.sessions) }

    /// Ends every session with a contact.
    public func revokeSessions(of alias: String, reason: RevokeReason = .none) async throws -> Reply {
        try await perform(Operations.revokeSessions, alias, reason)
    }

    /// Imports a 32-byte key of an older HSIP program.
    public func importKey(_ request: LegacyImport) async throws -> Reply {
        try await perform(Operations.importKey, request)
    }

    /// Gives out an imported key.
    public func exportKey(of alias: String) async throws -> Secret {
        try await perform(Operations.exportKey, alias)
    }

    /// Seals one text for a contact.
    public func encrypt(_ plaintext: Secret, to alias: String) async throws -> SealedMessage {
        try await perform(Operations.encrypt, plaintext, alias)
    }

    /// Opens one message.
    public func decrypt(
        _ envelope: MessageEnvelope,
        from alias: String? = nil,
        isReread: Bool = false
    ) async throws -> ReadMessage {
        try await perform(Operations.decrypt, envelope, alias, isReread)
    }

    /// A fresh key for one file, and the message that carries it to a contact.
    ///
    /// `digest` is what the file holds (`FileDigest`), 32 bytes: the key depends on it.
    public func sealFileKey(for alias: String, digest: [UInt8]) async throws -> SealedFileKey {
        try await perform(Operations.sealFileKey, alias, digest)
    }

    /// The key of a file, out of the message that carries it.
    public func openFileKey(
        _ envelope: MessageEnvelope,
        from alias: String? = nil
    ) async throws -> OpenedFileKey {
        try await perform(Operations.openFileKey, envelope, alias)
    }
}
