/// Who has an operation done, as far as the operation itself depends on it.
public enum Caller: Sendable {
    /// hsip, or the program that opened the vault itself.
    case own
    /// Another program, through an agent: what it looks at leaves no trace.
    case other
}
