/// A warning or a note beside a result; it never changes the exit code.
public enum Notice: Hashable, Sendable, Codable {
    // Warnings
    /// So many numbers are left, and the epoch ends then (Unix seconds).
    case rekeySoon(remaining: UInt16, endsAt: UInt64)
    /// The last number is used; the code to send, if there is one.
    case limitReached(code: String?)
    /// Nothing of theirs has arrived yet.
    case unconfirmed
    /// And their time to import my answer has ended.
    case unconfirmedLate
    /// Sealed under the epoch they get with my ACCEPT.
    case readableAfterAccept
    /// Another person answered the offer this contact came from.
    case suspicious
    /// A backup was restored, and no one compared with this contact since.
    case notComparedSinceRestore
    /// The name looks like another contact's.
    case nameLooksAlike(PeerID)
    /// So many other open offers may still be answered.
    case openOffers(Int)
    // Notes
    case alreadyPaired
    case alreadyDone
    case peerCatchingUp
    case ownMessage
    /// The message carries a code; `accept` takes it.
    case carries(CodeKind)
    case mayHaveBeenReadBefore
    case counterUnreliable
    /// The new keys have suite 01: a quantum computer could read the messages one day.
    case notPostQuantum
    /// Their code has suite 01 and mine suite 02: their program may not know it.
    case perhapsOldProgram
    /// Paired again with a known contact: only a comparison shows whether it is still the same person.
    case repairedNotReverified

    /// The name in the table of Schemas/hsip-xc1.md section 12.
    public var name: String {
        switch self {
        case .rekeySoon: "rekeySoon"
        case .limitReached: "limitReached"
        case .unconfirmed: "unconfirmed"
        case .unconfirmedLate: "unconfirmedLate"
        case .readableAfterAccept: "readableAfterAccept"
        case .suspicious: "suspicious"
        case .notComparedSinceRestore: "notComparedSinceRestore"
        case .nameLooksAlike: "nameLooksAlike"
        case .openOffers: "openOffers"
        case .alreadyPaired: "alreadyPaired"
        case .alreadyDone: "alreadyDone"
        case .peerCatchingUp: "peerCatchingUp"
        case .ownMessage: "ownMessage"
        case .carries: "carries"
        case .mayHaveBeenReadBefore: "mayHaveBeenReadBefore"
        case .counterUnreliable: "counterUnreliable"
        case .notPostQuantum: "notPostQuantum"
        case .perhapsOldProgram: "perhapsOldProgram"
        case .repairedNotReverified: "repairedNotReverified"
        }
    }

    /// A warning asks for something; a note only tells.
    public var isWarning: Bool {
        switch self {
        case .rekeySoon, .limitReached, .unconfirmed, .unconfirmedLate, .readableAfterAccept, .suspicious,
            .notComparedSinceRestore, .nameLooksAlike, .openOffers, .repairedNotReverified:
            true
        case .alreadyPaired, .alreadyDone, .peerCatchingUp, .ownMessage, .carries, .mayHaveBeenReadBefore,
            .counterUnreliable, .notPostQuantum, .perhapsOldProgram:
            false
        }
    }
}
