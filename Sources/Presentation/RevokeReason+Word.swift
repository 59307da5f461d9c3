package import HSIP

extension RevokeReason {
    /// The reason as the JSON output and `--reason` spell it.
    package var word: String {
        switch self {
        case .none: "none"
        case .lostDevice: "lost"
        case .compromised: "compromised"
        case .ended: "ended"
        }
    }
}
