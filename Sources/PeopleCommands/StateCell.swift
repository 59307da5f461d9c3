internal import Console
internal import VaultKit

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
