package import SSHFormats

extension HostKeySummary {
    /// What a line is to the vault, as the JSON output spells it.
    package enum Standing: String {
        case trusted, authority, revoked, undecided, replaced, removed
    }

    /// See `Standing`.
    package var standing: Standing {
        switch (state, host.marker) {
        case (.replaced, _): .replaced
        case (.removed, _): .removed
        case (.current, _) where isWaiting: .undecided
        case (.current, .revoked): .revoked
        case (.current, .authority): .authority
        case (.current, nil): .trusted
        }
    }

    /// When it became history; nil while it counts.
    package var endedAt: UInt64? {
        switch state {
        case .current: nil
        case .replaced(let time, _): time
        case .removed(let time): time
        }
    }
}
