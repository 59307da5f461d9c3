package import HSIP

extension Notice {
    /// The name for scripts (Schemas/warnings.json).
    package var code: String {
        if case .repairedNotReverified = self { "notVerified" } else { name }
    }

    /// What scripts learn beside the name; the contact is the one the act was about.
    package func members(about alias: String?, _ peerID: PeerID?) -> [JSONMember] {
        let whose = JSONMember("contact", .optional(alias))
        return switch self {
        case .rekeySoon(let remaining, _): [JSONMember("remaining", .integer(Int64(remaining)))]
        case .limitReached(let code): [JSONMember("nextCode", .optional(code))]
        case .suspicious, .notComparedSinceRestore, .repairedNotReverified: [whose]
        case .nameLooksAlike(let other):
            [
                whose, JSONMember("peerId", .optional(peerID?.text)),
                JSONMember("otherPeerId", .text(other.text)),
            ]
        case .openOffers(let count): [JSONMember("count", .integer(Int64(count)))]
        case .carries(let kind): [JSONMember("kind", .text(kind.hrp))]
        case .unconfirmed, .unconfirmedLate, .readableAfterAccept, .alreadyPaired, .alreadyDone,
            .peerCatchingUp, .ownMessage, .mayHaveBeenReadBefore, .counterUnreliable:
            []
        }
    }
}
