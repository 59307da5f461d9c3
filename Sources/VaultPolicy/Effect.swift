/// What a rule says about the acts that it covers.
///
/// Where several rules cover one act, the strictest holds, in whatever order they were made.
public enum Effect: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// They may happen.
    case allow
    /// The owner is asked.
    case ask
    /// They may not.
    case deny

    private var strictness: Int {
        switch self {
        case .allow: 0
        case .ask: 1
        case .deny: 2
        }
    }

    /// The less strict one comes first.
    public static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }
}
