/// What an item is to a program.
package enum ItemStanding: Int, Comparable, Sendable {
    /// It made it.
    case own
    /// A person let it have it for good.
    case granted
    /// No program is known to have made it.
    case nobodys
    /// Another program made it.
    case others

    /// The nearer one first.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ItemRecord {
    /// What the item is to a program; nil is one that is not known, which owns nothing and was granted nothing.
    package func standing(for program: ProgramIdentity?) -> ItemStanding {
        if let program, owner == program { return .own }
        if let program, readers.contains(program) { return .granted }
        return owner == nil ? .nobodys : .others
    }
}
