public import HSIP

/// What an act of the vault led to, ready to be shown: everything in it is durable already.
public struct Reply: Sendable {
    /// What happened.
    public let result: Outcome.Result
    /// The code to show, if one is due.
    public let code: ExchangeCode?
    /// The code was shown before, or nothing had to be made for it: nothing was written.
    public let isCached: Bool
    /// The contact concerned, as it is now.
    public let contact: ContactSummary?
    /// The pairing concerned.
    public let pairing: PairingID?
    /// Warnings and notes.
    public let notices: [Notice]

    init(_ outcome: Outcome, _ book: Book, wallClock: UInt64) {
        result = outcome.result
        code = outcome.code
        isCached = book.touched.isEmpty
        pairing = outcome.pairing
        notices = outcome.notices
        let moment = book.clock.moment(wallClock: wallClock)
        contact = outcome.contact.flatMap { book.contacts[$0] }
            .map { ContactSummary($0, in: book, at: moment) }
    }

    /// The session concerned, if it lives.
    public var session: SessionSummary? {
        contact?.sessions.first { $0.pairing == pairing } ?? contact?.sending
    }
}

extension Reply: Codable {
    private enum CodingKeys: String, CodingKey {
        case result, code, isCached, contact, pairing, notices
    }

    /// The results that a reply can hold: none that carries a secret.
    private enum Result: Codable {
        case done
        case shows
        case answered
        case paired
        case prepared
        case rotated
        case sessionsEnded(RevokeReason)
        case identityEnded(PeerID)
        case ended
        case verifyMatched
    }

    /// Encodes all of it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(try Self.carried(result), forKey: .result)
        try container.encodeIfPresent(code, forKey: .code)
        try container.encode(isCached, forKey: .isCached)
        try container.encodeIfPresent(contact, forKey: .contact)
        try container.encodeIfPresent(pairing, forKey: .pairing)
        try container.encode(notices, forKey: .notices)
    }

    /// Decodes a reply.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        result = Self.outcome(try container.decode(Result.self, forKey: .result))
        code = try container.decodeIfPresent(ExchangeCode.self, forKey: .code)
        isCached = try container.decode(Bool.self, forKey: .isCached)
        contact = try container.decodeIfPresent(ContactSummary.self, forKey: .contact)
        pairing = try container.decodeIfPresent(PairingID.self, forKey: .pairing)
        notices = try container.decode([Notice].self, forKey: .notices)
    }

    private static func carried(_ result: Outcome.Result) throws(VaultError) -> Result {
        switch result {
        case .done: .done
        case .shows: .shows
        case .answered: .answered
        case .paired: .paired
        case .prepared: .prepared
        case .rotated: .rotated
        case .sessionsEnded(let reason): .sessionsEnded(reason)
        case .identityEnded(let peer): .identityEnded(peer)
        case .ended: .ended
        case .verifyMatched: .verifyMatched
        case .reserved, .opened, .exported: throw .malformedCall
        }
    }

    private static func outcome(_ result: Result) -> Outcome.Result {
        switch result {
        case .done: .done
        case .shows: .shows
        case .answered: .answered
        case .paired: .paired
        case .prepared: .prepared
        case .rotated: .rotated
        case .sessionsEnded(let reason): .sessionsEnded(reason)
        case .identityEnded(let peer): .identityEnded(peer)
        case .ended: .ended
        case .verifyMatched: .verifyMatched
        }
    }
}
