package import HSIP

extension Notice {
    /// The name for scripts (Schemas/warnings.json).
    package var code: String {
        if case .repairedNotReverified = self { "notVerified" } else { name }
    }

    /// What scripts learn beside the name; the contact is the one the act was about.
    package func members(about alias: String?, _ peerID: PeerID?) -> JSONValue {
        switch self {
        case .rekeySoon(let remaining, _): ["remaining": .integer(remaining)]
        case .limitReached(let code): ["nextCode": .optional(code)]
        case .suspicious, .notComparedSinceRestore, .repairedNotReverified, .notPostQuantum,
            .perhapsOldProgram:
            ["contact": .optional(alias)]
        case .nameLooksAlike(let other):
            [
                "contact": .optional(alias), "peerId": .optional(peerID?.text),
                "otherPeerId": .text(other.text),
            ]
        case .openOffers(let count): ["count": .integer(count)]
        case .carries(let kind): ["kind": .text(kind.hrp)]
        case .unconfirmed, .unconfirmedLate, .readableAfterAccept, .alreadyPaired, .alreadyDone,
            .peerCatchingUp, .ownMessage, .mayHaveBeenReadBefore, .counterUnreliable:
            [:]
        }
    }
}
