/// What an item is to a program.
public enum ItemStanding: Int, Comparable, Sendable {
    /// It made it.
    case own
    /// A person let it have it for good.
    case granted
    /// No program is known to have made it.
    case nobodys
    /// Another program made it.
    case others

    /// The nearer one first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
