/// What kind of thing an entry of the audit log tells.
public enum AuditKind: UInt8, Sendable, CaseIterable, Codable {
    /// The vault was opened, or opening it was refused.
    case unlock = 1
    /// The vault was closed, and why.
    case lock = 2
    /// A signature by an SSH key.
    case sign = 3
    /// A secret was let out.
    case read = 4
    /// A secret was used without leaving the vault.
    case use = 5
    /// A key of a person or of a host was trusted.
    case trust = 6
    /// A trusted key was replaced by another.
    case replace = 7
    /// A rule of the policy was made or removed.
    case rule = 8
    /// Something else in the vault was changed.
    case change = 9
    /// A key was added to the agent, or removed from it.
    case key = 10
    /// The log itself: it was found cut or damaged, and goes on from here.
    case log = 11

    /// The kind, as the command line and the JSON output spell it.
    public var word: String {
        switch self {
        case .unlock: "unlock"
        case .lock: "lock"
        case .sign: "sign"
        case .read: "read"
        case .use: "use"
        case .trust: "trust"
        case .replace: "replace"
        case .rule: "rule"
        case .change: "change"
        case .key: "key"
        case .log: "log"
        }
    }
}
