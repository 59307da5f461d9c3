public import HSIP
public import VaultCrypto

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// A new OFFER, for anybody or bound to a contact.
    public func makeOffer(
        _ request: OfferRequest = OfferRequest(),
        for alias: String? = nil
    ) async throws -> Reply {
        try await perform(Operations.makeOffer, request, alias)
    }

    /// My next code for a contact.
    public func nextCode(
        for alias: String,
        _ request: OfferRequest = OfferRequest()
    ) async throws -> Reply {
        try await perform(Operations.nextCode, alias, request)
    }

    /// The ROTATE or ACCEPT that is due with a contact.
    public func rotate(_ alias: String, _ request: OfferRequest = OfferRequest()) async throws -> Reply {
        try await perform(Operations.rotate, alias, request)
    }

    /// Closes every open offer.
    public func closeOffers() async throws -> Int { try await perform(Operations.closeOffers) }

    /// Offers of mine that wait for an answer, oldest first.
    public func openOffers() async throws -> [(code: OfferCode, contact: String?)] {
        try await perform(Operations.openOffers).map { ($0.code, $0.contact) }
    }

    /// The distinct codes in a text.
    public func codes(in text: [UInt8]) async throws -> [ExchangeCode] {
        try await perform(Operations.codesIn, text)
    }

    /// What a code says, before it is taken.
    public func preview(_ code: ExchangeCode) async throws -> CodePreview {
        try await perform(Operations.preview, code)
    }

    /// Takes a code of any kind.
    public func accept(
        _ code: ExchangeCode,
        _ options: AcceptOptions = AcceptOptions()
    ) async throws -> Reply {
        try await perform(Operations.accept, code, options)
    }

    /// The distinct codes that a message carries, without reading it.
    public func peek(_ envelope: MessageEnvelope, from alias: String? = nil) async throws -> [ExchangeCode] {
        try await perform(Operations.peek, envelope, alias)
    }

    /// Takes the code that a message carries.
    public func accept(
        _ chosen: ExchangeCode? = nil,
        carriedBy envelope: MessageEnvelope,
        _ options: AcceptOptions = AcceptOptions()
    ) async throws -> Reply {
        try await perform(Operations.acceptCarried, chosen, envelope, options)
    }

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
    /// - Parameter digest: what the file holds (`FileDigest`): the key depends on it.
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
