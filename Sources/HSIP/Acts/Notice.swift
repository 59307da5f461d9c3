/// A warning or a note beside a result; it never changes the exit code.
public enum Notice: Hashable, Sendable, Codable {
    // Warnings
    /// Few numbers or little time are left: `remaining` numbers, and the time until `endsAt` (Unix seconds).
    case rekeySoon(remaining: UInt16, endsAt: UInt64)
    /// The last number is used; includes the code to send, if there is one.
    case limitReached(code: String?)
    /// No message or code of the contact has arrived yet.
    case unconfirmed
    /// The contact's time to import my answer has also ended.
    case unconfirmedLate
    /// The message was sealed under the epoch that the contact gets with my ACCEPT.
    case readableAfterAccept
    /// Another person answered the offer from which this contact came.
    case suspicious
    /// A backup was restored, and the user has not compared with this contact since.
    case notComparedSinceRestore
    /// The name looks like another contact's.
    case nameLooksAlike(PeerID)
    /// This number of other open offers may still be answered.
    case openOffers(Int)
    // Notes
    case alreadyPaired
    case alreadyDone
    case peerCatchingUp
    case ownMessage
    /// The message contains a code; `accept` accepts it.
    case carries(CodeKind)
    case mayHaveBeenReadBefore
    case counterUnreliable
    /// The new keys have suite 01: a future quantum computer could read the messages.
    case notPostQuantum
    /// The contact's code has suite 01 and mine suite 02: the contact's program may not know suite 02.
    case perhapsOldProgram
    /// The user paired again with a known contact: only a comparison shows whether it is still this person.
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

    /// Whether the notice asks for an action; a note only informs.
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
