/// An offer of mine, or the answer I gave to one of theirs; each may serve once.
public struct Offer: Sendable {
    /// Where an offer of mine stands.
    public enum State: Sendable {
        /// Waits for its answer; the secret half of its one-time key is here.
        case open(secret: OneTimeSecret)
        /// Answered by an identity; the hash names the one answer that counts.
        case answered(by: PeerID, answerHash: [UInt8])
        /// Closed by me, by a rotation, by a restore or by time; the secret is gone.
        case closed(expired: Bool)
    }

    /// Who offered.
    public enum Side: Sendable {
        /// I offered; `boundTo` is the contact it was made for.
        case mine(OfferCode, boundTo: PeerID?, State)
        /// They offered and I answered: the answer is shown again, never made again.
        case theirs(AnswerCode, pairing: PairingID, contact: PeerID, offerEnd: UInt64)
    }

    /// The name of the offer (`offerRef`), 16 bytes.
    public let ref: [UInt8]
    /// See `Side`.
    public var side: Side

    /// An offer, fresh or as it was stored.
    public init(ref: [UInt8], side: Side) {
        self.ref = ref
        self.side = side
    }

    /// The suite of its code.
    public var suite: Suite {
        switch side {
        case .mine(let code, _, _): code.header.suite
        case .theirs(let answer, _, _, _): answer.header.suite
        }
    }

    /// The contact it belongs to, if any.
    public var contact: PeerID? {
        switch side {
        case .mine(_, let boundTo, _): boundTo
        case .theirs(_, _, let contact, _): contact
        }
    }

    /// An offer of mine that still waits for its answer.
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
    /// Open offers without a contact that may exist at once.
    public static let maximumOpen = 32

    /// The last second at which an answer can be imported by the offerer.
    public static func importEnd(answer: Terms, offerEnd: UInt64) -> UInt64 {
        min(answer.codeEnd + Moment.tolerance, offerEnd + lateAnswer)
    }
}
