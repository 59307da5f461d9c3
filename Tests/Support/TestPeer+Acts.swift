public import HSIP
internal import VaultCrypto

/// The acts of a person, short enough for a test to read like a story.
extension TestPeer {
    /// An outcome that a test did not ask for.
    public struct Unexpected: Error {
        /// What came.
        public let outcome: Outcome
    }

    /// A message that came out as another one, or from someone else.
    public struct Misheard: Error {}

    /// The contact that `other` is here.
    public func contact(_ other: TestPeer) -> Contact? { book.contacts[other.id] }

    /// The pairing that sends to `other`.
    public func pairing(_ other: TestPeer) -> Pairing? {
        contact(other).flatMap { PairingOrder.sending($0.pairings) }.flatMap { book.pairings[$0.id] }
    }

    /// The keys of the pairing that sends to `other`.
    public func rotation(_ other: TestPeer) -> Rotation<HSIPScheme>? { pairing(other)?.rotation }

    /// A new OFFER.
    public func offer(_ request: OfferRequest = OfferRequest(), for other: TestPeer? = nil) throws
        -> OfferCode
    {
        var bound = request
        if let other { bound.contact = other.id }
        let outcome = try perform(.offer(bound))
        guard case .offer(let code) = outcome.code else { throw Unexpected(outcome: outcome) }
        return code
    }

    /// Takes an OFFER and answers it.
    public func answer(_ offer: OfferCode, _ request: CodeOptions = CodeOptions()) throws -> AnswerCode {
        let outcome = try perform(.take(.offer(offer), request))
        guard case .answer(let code) = outcome.code else { throw Unexpected(outcome: outcome) }
        return code
    }

    /// Takes a code of any kind.
    @discardableResult
    public func take(_ code: ExchangeCode, _ request: CodeOptions = CodeOptions()) throws -> Outcome {
        try perform(.take(code, request))
    }

    /// I offer, `other` answers with the same terms, and I take the answer: two transfers.
    @discardableResult
    public func pair(with other: TestPeer, _ request: OfferRequest = OfferRequest()) throws -> PairingID {
        var reply = request
        reply.contact = nil
        let answer = try other.answer(try offer(request), CodeOptions(reply: reply))
        let outcome = try take(.answer(answer))
        guard let pairing = outcome.pairing else { throw Unexpected(outcome: outcome) }
        return pairing
    }

    /// Reserves a number and seals.
    public func seal(_ text: String, to other: TestPeer) throws -> MessageEnvelope {
        try sealing(text, to: other).envelope
    }

    /// Reserves a number and seals; with everything said about it.
    public func sealing(
        _ text: String,
        to other: TestPeer
    ) throws -> (envelope: MessageEnvelope, reserved: ReservedMessage, notices: [Notice]) {
        let plaintext = try Secret(copying: Array(text.utf8))
        let outcome = try perform(.send(other.id, plaintext: plaintext))
        guard case .reserved(let reserved) = outcome.product else { throw Unexpected(outcome: outcome) }
        return (try reserved.seal(plaintext), reserved, outcome.notices)
    }

    /// Opens a message and gives its text.
    @discardableResult
    public func open(_ envelope: MessageEnvelope, _ request: ReadRequest = ReadRequest()) throws -> String {
        try opening(envelope, request).text
    }

    /// Opens a message; with everything said about it.
    public func opening(
        _ envelope: MessageEnvelope,
        _ request: ReadRequest = ReadRequest()
    ) throws -> (text: String, message: OpenedMessage, notices: [Notice]) {
        let outcome = try perform(.read(envelope, request))
        guard case .opened(let message) = outcome.product else { throw Unexpected(outcome: outcome) }
        let text = String(decoding: message.plaintext.withBytes { $0.copied() }, as: UTF8.self)
        return (text, message, outcome.notices)
    }

    /// Sends one message that `other` reads at once.
    public func say(_ text: String, to other: TestPeer) throws {
        let heard = try other.opening(try seal(text, to: other))
        guard heard.text == text, heard.message.sender == id else { throw Misheard() }
    }

    /// A new or repeated ROTATE.
    public func rotate(_ other: TestPeer, _ request: OfferRequest = OfferRequest()) throws -> RotateCode {
        let outcome = try perform(.rotate(other.id, request))
        guard case .rotate(let code) = outcome.code else { throw Unexpected(outcome: outcome) }
        return code
    }

    /// Takes a ROTATE and shows the ACCEPT.
    public func accept(_ rotate: RotateCode, _ request: CodeOptions = CodeOptions()) throws -> AcceptCode {
        let outcome = try perform(.take(.rotate(rotate), request))
        guard case .accept(let code) = outcome.code else { throw Unexpected(outcome: outcome) }
        return code
    }

    /// A whole rotation that I start.
    public func renew(with other: TestPeer, _ request: OfferRequest = OfferRequest()) throws {
        try take(.accept(try other.accept(try rotate(other, request), CodeOptions(reply: request))))
    }

    /// Ends every session with `other`; the notice, if one could be made.
    public func revoke(_ other: TestPeer, _ reason: RevokeReason = .none) throws -> RevokeCode? {
        guard case .revoke(let notice) = try perform(.revokeSessions(other.id, reason)).code else {
            return nil
        }
        return notice
    }
}
