/// One row of the table: the acts that it matches, and the outcome.
public struct Row: Sendable {
    /// The names of the rows, in the order in which they are tried.
    ///
    /// The log shows the name as the reason.
    public enum Name: String, Sendable, CaseIterable {
        /// The server's key is revoked.
        case hostRevoked
        /// The server has another key than before.
        case hostChanged
        /// A request from another machine.
        case forwarded
        /// Bytes of unknown meaning.
        case rawData
        /// The process of another user.
        case otherUser
        /// A program whose file cannot be read.
        case unknownProgram
        /// A key whose owner wants to be asked.
        case confirmEachUse
        /// A login by a program that binds its session to a known server.
        case directLogin
        /// A login to a server whose key is unknown.
        case unknownHost
        /// A login by a program that does not state its server.
        case unboundLogin
        /// A namespace that the key is for.
        case ownNamespace
        /// A commit or file, signed by a key that `ssh-add` added.
        case usualNamespace
        /// Any other namespace.
        case otherNamespace
        /// A certificate.
        case certificate
        /// hsip itself, in front of a person, reads a secret.
        case ownRead
        /// Another program reads a secret.
        case otherRead
        /// A secret is used without being returned.
        case use
        /// Later decisions are changed, or a contact is trusted.
        case decision
        /// An expired item.
        case endedItem
        /// An item to which a person gave the program access.
        case grantedItem
        /// The value of an item that was made by a shared tool.
        case sharedTool
        /// An item that the program made.
        case ownItem
        /// An item whose program is unknown.
        case nobodysItem
        /// An item that another program made.
        case otherItem
        /// The key of an application for the portal.
        case appKey
        /// The key of an application without an id.
        case namelessApp
        /// A decision about a whole collection.
        case collection
    }

    /// The outcome of a row.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Refuse; nothing overrides it.
        case deny
        /// Ask each time; a rule can only refuse, and no approval is remembered.
        case askEachTime
        /// Ask each time unless a rule decides otherwise; no approval is remembered.
        case askUnlessRule
        /// Ask, unless a rule or a remembered approval decides.
        case ask
        /// Allow, unless a rule decides otherwise.
        case allow

        /// The outcome in words.
        public var words: String {
            switch self {
            case .deny: "refuse"
            case .askEachTime: "ask each time"
            case .askUnlessRule: "ask each time, unless a rule allows it"
            case .ask: "ask, may be remembered"
            case .allow: "allow"
            }
        }
    }

    /// The name of the row.
    public let name: Name
    /// The outcome of the row.
    public let outcome: Outcome
    /// The acts that it matches, in words.
    public let words: String
    /// Whether it matches a request.
    let covers: @Sendable (AccessRequest) -> Bool
}
