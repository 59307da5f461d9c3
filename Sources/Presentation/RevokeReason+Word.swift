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

    /// The reason in a sentence; nil where none was given.
    package var phrase: String? {
        switch self {
        case .none: nil
        case .lostDevice: "device lost"
        case .compromised: "key compromised"
        case .ended: "ended"
        }
    }
}
