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

    /// The exit code (Schemas/errors.json).
    public var exitCode: Int32 {
        switch self {
        case .unknown: 3
        case .nameTaken, .tooMany: 4
        case .damaged: 11
        case .bad: 13
        }
    }

    /// The name, as the JSON output spells it.
    public var name: String {
        switch self {
        case .bad: "badRule"
        case .nameTaken: "ruleNameTaken"
        case .unknown: "unknownRule"
        case .tooMany: "tooManyRules"
        case .damaged: "ruleDamaged"
        }
    }
}
