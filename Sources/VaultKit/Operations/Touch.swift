/// What an operation does to what the vault keeps: enough for a policy and an audit log, without its arguments.
public enum Touch: String, CaseIterable, Sendable {
    /// Reads names, numbers and public halves.
    case look
    /// Uses a secret without letting it out: seals or opens a message, signs.
    case use
    /// Lets a secret out: exports a key.
    case reveal
    /// Changes what is kept.
    case change
    /// Believes a key, of a person or of a host, or replaces one.
    case trust
}
