public import HSIP
internal import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// The operations that make, find and accept codes.
    static var codeOperations: [any AnyOperation] {
        [
            makeOffer, nextCode, rotate, closeOffers, openOffers, codesIn, accept, peek, acceptCarried,
        ]
    }

    private static let session = ApprovalQuestion("use the session with %1", nameless: "use a session")
    private static let code = ApprovalQuestion("accept a code for %1", nameless: "accept a code")

    /// Makes a new OFFER, for anybody or for one contact.
    public static let makeOffer = Operation(
        "code.offer",
        .use(ApprovalQuestion("use the session with %1", nameless: "make a code")),
        subjects: { _, alias in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, request: OfferRequest, alias: String?) in
        try vault.makeOffer(request, for: alias)
    }
    /// Makes this vault's next code for a contact.
    public static let nextCode = Operation(
        "code.next",
        .use(session),
        subjects: { alias, _ in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, alias: String, request: OfferRequest) in
        try vault.nextCode(for: alias, request)
    }
    /// Makes the ROTATE or ACCEPT that is due with a contact.
    public static let rotate = Operation(
        "session.rotate",
        .use(session),
        subjects: { alias, _ in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, alias: String, request: OfferRequest) in
        try vault.rotate(alias, request)
    }
    /// Closes every open offer.
    public static let closeOffers = Operation(
        "code.close-offers",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller) in try vault.closeOffers()
    }
    static let openOffers = Operation.look("code.open-offers") {
        (vault: isolated Vault, _: Caller) -> [OpenOffer] in
        try vault.openOffers().map { OpenOffer(code: $0.code, contact: $0.contact) }
    }
    /// Returns previews of the distinct codes in a text, before one is accepted.
    public static let codesIn = Operation.look("code.find") {
        (vault: isolated Vault, _: Caller, text: [UInt8]) in try vault.codes(in: text)
    }
    /// Accepts a code of any kind.
    public static let accept = Operation(
        "code.accept",
        .trust(code),
        subjects: { code, options in .named(options.contact ?? options.alias).sent(by: code.sentBy) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, code: ExchangeCode, options: AcceptOptions) in
        try vault.accept(code, options)
    }
    /// Returns previews of the distinct codes in a message, which stays unread.
    public static let peek = Operation(
        "message.codes",
        .use(session),
        subjects: { envelope, alias in .named(alias).sent(by: envelope.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, envelope: MessageEnvelope, alias: String?) in
        try vault.peek(envelope, from: alias)
    }
    /// Accepts the code in a message.
    public static let acceptCarried = Operation(
        "message.accept",
        .trust(code),
        subjects: { code, envelope, options in
            .named(options.contact ?? options.alias).sent(by: code?.sentBy).sent(by: envelope.sender)
        },
        audit: .trust
    ) {
        (
            vault: isolated Vault,
            _: Caller,
            code: ExchangeCode?,
            envelope: MessageEnvelope,
            options: AcceptOptions
        ) in
        try vault.accept(code, carriedBy: envelope, options)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Lists the offers of this vault that wait for an answer, the oldest first.
    public func openOffers() async throws -> [(code: OfferCode, contact: String?)] {
        try await self(Operations.openOffers).map { ($0.code, $0.contact) }
    }
}

/// An offer of this vault that waits for an answer, and the contact that it is for.
struct OpenOffer: Codable, Sendable {
    let code: OfferCode
    let contact: String?
}
