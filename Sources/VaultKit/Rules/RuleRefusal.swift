public import VaultPolicy

/// What the vault refuses about rules of its policy.
public enum RuleRefusal: Error, Equatable, Sendable, Codable {
    /// The rule itself.
    case bad(RuleError)
    /// Another rule has this name.
    case nameTaken
    /// No rule has this name.
    case unknown
    /// There are as many rules as a vault keeps.
    case tooMany
    /// A record of a rule that this program cannot read.
    case damaged
}
