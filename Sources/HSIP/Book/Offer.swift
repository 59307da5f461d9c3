/// An offer of mine, or my answer to a contact's offer; each can be used once.
public struct Offer: Sendable {
    /// The state of an offer of mine.
    public enum State: Sendable {
        /// The offer waits for its answer; the secret half of its one-time key is kept.
        case open(secret: OneTimeSecret)
        /// An identity answered the offer; the hash identifies the only answer that counts.
        case answered(by: PeerID, answerHash: [UInt8])
        /// The user, a rotation, a restore or time closed the offer; its secret is gone.
        case closed(expired: Bool)
    }

    /// The side that made the offer.
    public enum Side: Sendable {
        /// My offer; `boundTo` is the contact for whom it was made.
        case mine(OfferCode, boundTo: PeerID?, State)
        /// A contact's offer and my answer, which can be shown again but is never made again.
        case theirs(AnswerCode, pairing: PairingID, contact: PeerID, offerEnd: UInt64)
    }

    /// The name of the offer (`offerRef`), 16 bytes.
    public let ref: [UInt8]
    /// See `Side`.
    public var side: Side

    /// An offer, new or stored.
    public init(ref: [UInt8], side: Side) {
        self.ref = ref
        self.side = side
    }

    /// The suite of the offer's code.
    public var suite: Suite {
        switch side {
        case .mine(let code, _, _): code.header.suite
        case .theirs(let answer, _, _, _): answer.header.suite
        }
    }

    /// The contact of the offer, if there is one.
    public var contact: PeerID? {
        switch side {
        case .mine(_, let boundTo, _): boundTo
        case .theirs(_, _, let contact, _): contact
        }
    }

    /// Whether this is an offer of mine that still waits for its answer.
    public var isOpen: Bool {
        if case .mine(_, _, .open) = side { true } else { false }
    }

    /// The last second of the offer's own validity.
    public var end: UInt64 {
        switch side {
        case .mine(let code, _, _): code.terms.codeEnd
        case .theirs(_, _, _, let offerEnd): offerEnd
        }
    }

    /// How long after the offer's end an answer is still accepted, and the secret kept: 24 hours.
    public static let lateAnswer: UInt64 = 86_400
    /// The most open offers without a contact at one time.
    public static let maximumOpen = 32

    /// The last second at which the offerer can accept an answer.
    public static func importEnd(answer: Terms, offerEnd: UInt64) -> UInt64 {
        min(answer.codeEnd + Moment.tolerance, offerEnd + lateAnswer)
    }
}
