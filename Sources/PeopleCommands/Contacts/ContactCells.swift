internal import Console
internal import HSIP
internal import VaultKit

/// How far a contact is verified, as a word of a table.
enum TrustCell {
    /// `yes`, `scanned`, `no`, `SUSPICIOUS`, `revoked`; who was paired again since a match is said to be so, and who was
    /// not compared since a restore.
    static func cell(_ contact: Contact) -> Cell {
        let value = contact.trust.name
        switch contact.trust {
        case .verified, .scanned, .unverified:
            guard contact.isUncompared else { break }
            return Cell("not compared since the restore", value: "notComparedSinceRestore", tone: .soon)
        case .suspicious, .revoked: break
        }
        switch contact.trust {
        case .verified:
            return contact.isRepaired
                ? Cell("re-paired, not re-verified", value: "rePaired", tone: .soon)
                : Cell("yes", value: value, tone: .good)
        case .scanned: return Cell("scanned", value: value)
        case .unverified: return Cell("no", value: value)
        case .suspicious: return Cell("SUSPICIOUS", value: value, tone: .danger)
        case .revoked: return Cell("revoked", value: value, tone: .past)
        }
    }
}

/// The state of a session, as a word of a table.
enum StateCell {
    /// The word in its colour; scripts get the name.
    static func cell(_ state: SessionSummary.State) -> Cell {
        Cell(text(state), value: state.rawValue, tone: tone(state))
    }

    /// In words.
    static func text(_ state: SessionSummary.State) -> String {
        switch state {
        case .rekeySoon: "renew soon"
        case .grace: "renewed"
        default: state.rawValue
        }
    }

    private static func tone(_ state: SessionSummary.State) -> Tone {
        switch state {
        case .suspicious: .danger
        case .restored, .exhausted, .unconfirmed, .rotating, .rekeySoon: .soon
        case .revoked, .lapsed, .expired: .past
        case .active, .grace: .plain
        }
    }
}
