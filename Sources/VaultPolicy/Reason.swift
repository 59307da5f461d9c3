/// Why a verdict is what it is.
public enum Reason: Hashable, Sendable {
    /// A row of the table.
    case row(Row.Name)
    /// A rule of the owner, by its name.
    case rule(String)
    /// The owner said yes to this before, and for longer than once.
    case remembered

    /// The reason as one word, for the log and for JSON.
    public var code: String {
        switch self {
        case .row(let name): name.rawValue
        case .rule(let name): "rule:\(name)"
        case .remembered: "remembered"
        }
    }
}
