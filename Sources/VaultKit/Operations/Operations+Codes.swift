internal import Audit
public import HSIP
internal import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// Codes, and what becomes of them.
    static var codeOperations: [any AnyOperation] {
        [
            makeOffer, nextCode, rotate, closeOffers, openOffers, codesIn, preview, accept, peek,
            acceptCarried,
        ]
    }

    private static let session = ApprovalQuestion("use the session with %1", nameless: "use a session")
    private static let code = ApprovalQuestion("accept a code for %1", nameless: "accept a code")

    static let makeOffer = Operation(
        "code.offer",
        .use(ApprovalQuestion("use the session with %1", nameless: "make a code")),
        subjects: { _, alias in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, request: OfferRequest, alias: String?) throws(VaultError) in
        try vault.makeOffer(request, for: alias)
    }
    static let nextCode = Operation(
        "code.next",
        .use(session),
        subjects: { alias, _ in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, alias: String, request: OfferRequest) throws(VaultError) in
        try vault.nextCode(for: alias, request)
    }
    static let rotate = Operation(
        "session.rotate",
        .use(session),
        subjects: { alias, _ in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, alias: String, request: OfferRequest) throws(VaultError) in
        try vault.rotate(alias, request)
    }
    static let closeOffers = Operation(
        "code.close-offers",
        .change,
        subjects: { .none },
        audit: .change
    ) {
        (vault: isolated Vault) throws(VaultError) in try vault.closeOffers()
    }
    static let openOffers = Operation.look("code.open-offers") {
        (vault: isolated Vault) throws(VaultError) -> [OpenOffer] in
        try vault.openOffers().map { OpenOffer(code: $0.code, contact: $0.contact) }
    }
    static let codesIn = Operation.look("code.find") {
        (vault: isolated Vault, text: [UInt8]) throws(VaultError) in try vault.codes(in: text)
    }
    static let preview = Operation.look("code.preview") {
        (vault: isolated Vault, code: ExchangeCode) throws(VaultError) in try vault.preview(code)
    }
    static let accept = Operation(
        "code.accept",
        .trust(code),
        subjects: { code, options in .named(options.contact ?? options.alias).sent(by: code.sentBy) },
        audit: .trust
    ) {
        (vault: isolated Vault, code: ExchangeCode, options: AcceptOptions) throws(VaultError) in
        try vault.accept(code, options)
    }
    static let peek = Operation(
        "message.codes",
        .use(session),
        subjects: { envelope, alias in .named(alias).sent(by: envelope.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, envelope: MessageEnvelope, alias: String?) throws(VaultError) in
        try vault.peek(envelope, from: alias)
    }
    static let acceptCarried = Operation(
        "message.accept",
        .trust(code),
        subjects: { code, envelope, options in
            .named(options.contact ?? options.alias).sent(by: code?.sentBy).sent(by: envelope.sender)
        },
        audit: .trust
    ) {
        (
            vault: isolated Vault,
            code: ExchangeCode?,
            envelope: MessageEnvelope,
            options: AcceptOptions
        ) throws(VaultError) in
        try vault.accept(code, carriedBy: envelope, options)
    }
}

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
}

/// An offer of mine that waits, and the contact it is for.
struct OpenOffer: Codable, Sendable {
    let code: OfferCode
    let contact: String?
}
