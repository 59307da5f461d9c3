/// What a requester wants done.
public enum Act: Hashable, Sendable {
    /// A signature by an SSH key.
    case sign(KeyFacts, Purpose, Route)
    /// Letting a secret out, or telling whether a value is its own: by which operation, and its name.
    case read(operation: String, name: String)
    /// Using a secret without letting it out, such as sealing a message to a contact.
    case use(operation: String, name: String)
    /// Changing what later verdicts are, or believing a person: by which operation, and about what.
    case decide(operation: String, name: String)

    /// The kind, as rules, the log and the table spell it.
    public var kind: ActKind {
        switch self {
        case .sign(_, let purpose, _): purpose.kind
        case .read: .read
        case .use: .use
        case .decide: .decide
        }
    }

    /// What it is done to: the key's name, or the secret's.
    public var subject: String {
        switch self {
        case .sign(let key, _, _): key.name
        case .read(_, let name), .use(_, let name), .decide(_, let name): name
        }
    }

    /// The server, where one is known.
    public var host: HostFacts? {
        guard case .sign(_, let purpose, _) = self else { return nil }
        return purpose.host
    }

    /// The request came from another machine.
    public var isForwarded: Bool {
        guard case .sign(_, _, .forwarded) = self else { return false }
        return true
    }
}
