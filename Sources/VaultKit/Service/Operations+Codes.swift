internal import HSIP
internal import VaultCrypto

extension Operations {
    /// Codes, sessions and messages.
    static var codes: [any AnyOperation] {
        [
            makeOffer, nextCode, rotate, closeOffers, openOffers, codesIn, preview, accept, peek,
            acceptCarried, sessions, revokeSessions, importKey, exportKey, encrypt, decrypt, sealFileKey,
            openFileKey,
        ]
    }

    static let makeOffer = Operation("code.offer", .use) {
        (vault: isolated Vault, request: OfferRequest, alias: String?) throws(VaultError) in
        try vault.makeOffer(request, for: alias)
    }
    static let nextCode = Operation("code.next", .use) {
        (vault: isolated Vault, alias: String, request: OfferRequest) throws(VaultError) in
        try vault.nextCode(for: alias, request)
    }
    static let rotate = Operation("session.rotate", .use) {
        (vault: isolated Vault, alias: String, request: OfferRequest) throws(VaultError) in
        try vault.rotate(alias, request)
    }
    static let closeOffers = Operation("code.close-offers", .change, decidesLater: false) {
        (vault: isolated Vault) throws(VaultError) in try vault.closeOffers()
    }
    static let openOffers = Operation("code.open-offers", .look) {
        (vault: isolated Vault) throws(VaultError) -> [OpenOffer] in
        try vault.openOffers().map { OpenOffer(code: $0.code, contact: $0.contact) }
    }
    static let codesIn = Operation("code.find", .look) {
        (vault: isolated Vault, text: [UInt8]) throws(VaultError) in try vault.codes(in: text)
    }
    static let preview = Operation("code.preview", .look) {
        (vault: isolated Vault, code: ExchangeCode) throws(VaultError) in try vault.preview(code)
    }
    static let accept = Operation("code.accept", .trust, decidesLater: false) {
        (vault: isolated Vault, code: ExchangeCode, options: AcceptOptions) throws(VaultError) in
        try vault.accept(code, options)
    }
    static let peek = Operation("message.codes", .use) {
        (vault: isolated Vault, envelope: MessageEnvelope, alias: String?) throws(VaultError) in
        try vault.peek(envelope, from: alias)
    }
    static let acceptCarried = Operation("message.accept", .trust, decidesLater: false) {
        (
            vault: isolated Vault,
            code: ExchangeCode?,
            envelope: MessageEnvelope,
            options: AcceptOptions
        ) throws(VaultError) in
        try vault.accept(code, carriedBy: envelope, options)
    }
    static let sessions = Operation("sessions", .look) {
        (vault: isolated Vault) throws(VaultError) in try vault.sessions()
    }
    static let revokeSessions = Operation("session.revoke", .change, decidesLater: false) {
        (vault: isolated Vault, alias: String, reason: RevokeReason) throws(VaultError) in
        try vault.revokeSessions(of: alias, reason: reason)
    }
    static let importKey = Operation("session.import", .trust, decidesLater: false) {
        (vault: isolated Vault, request: LegacyImport) throws(VaultError) in try vault.importKey(request)
    }
    static let exportKey = Operation("session.export", .reveal) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.exportKey(of: alias)
    }
    static let encrypt = Operation("message.encrypt", .use) {
        (vault: isolated Vault, plaintext: Secret, alias: String) throws(VaultError) in
        try vault.encrypt(plaintext, to: alias)
    }
    static let decrypt = Operation("message.decrypt", .use) {
        (vault: isolated Vault, envelope: MessageEnvelope, alias: String?, isReread: Bool) throws(VaultError)
        in
        try vault.decrypt(envelope, from: alias, isReread: isReread)
    }
    static let sealFileKey = Operation("file-key.seal", .use) {
        (vault: isolated Vault, alias: String, digest: [UInt8]) throws(VaultError) in
        try vault.sealFileKey(for: alias, digest: digest)
    }
    static let openFileKey = Operation("file-key.open", .use) {
        (vault: isolated Vault, envelope: MessageEnvelope, alias: String?) throws(VaultError) in
        try vault.openFileKey(envelope, from: alias)
    }
}

/// An offer of mine that waits, and whom it is for.
struct OpenOffer: Codable, Sendable {
    let code: OfferCode
    let contact: String?
}
