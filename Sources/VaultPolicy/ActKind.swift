/// The kinds of acts that a verdict is about.
public enum ActKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Signing a login.
    case login
    /// Signing a file or a commit.
    case file
    /// Signing a certificate.
    case certificate
    /// Signing bytes without a known meaning.
    case raw
    /// Letting a secret out.
    case read
    /// Using a secret without letting it out.
    case use
    /// Changing what later verdicts are, or believing a person.
    case decide
    /// Letting an item out to a program on the bus.
    case item
    /// Changing one that is there.
    case itemChange = "item-change"
}
