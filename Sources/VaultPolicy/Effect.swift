/// What a rule says about the acts that it covers.
///
/// Where several rules cover one act, the strictest holds, in whatever order they were made.
public enum Effect: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// They may happen.
    case allow
    /// The owner is asked, unless a remembered yes answers.
    case ask
    /// The owner is asked about every use, and no yes is remembered.
    case each
    /// They may not.
    case deny

    private var strictness: Int {
        switch self {
        case .allow: 0
        case .ask: 1
        case .each: 2
        case .deny: 3
        }
    }

    /// The effect in words, as a question shows it.
    public var words: String { self == .each ? "ask each time" : rawValue }

    /// The less strict one comes first.
    public static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }
}
