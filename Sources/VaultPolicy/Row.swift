/// One row of the table: which acts it is about, and what then happens.
public struct Row: Sendable {
    /// The rows by name, in the order in which they are asked; the name is the reason that the log gives.
    public enum Name: String, Sendable, CaseIterable {
        /// The server's key was taken back.
        case hostRevoked
        /// The server has another key than it had.
        case hostChanged
        /// A request from another machine.
        case forwarded
        /// Bytes without a known meaning.
        case rawData
        /// The process of another user.
        case otherUser
        /// A program whose file cannot be read.
        case unknownProgram
        /// A key whose owner wants to be asked.
        case confirmEachUse
        /// A login by a program that binds its session to a server that is known.
        case directLogin
        /// A login to a server whose key the vault does not know.
        case unknownHost
        /// A login by a program that does not say where it leads.
        case unboundLogin
        /// A namespace that the key is meant for.
        case ownNamespace
        /// A commit or file by a key that `ssh-add` brought.
        case usualNamespace
        /// Any other namespace.
        case otherNamespace
        /// A certificate.
        case certificate
        /// Our own program, in front of a person, reads a secret.
        case ownRead
        /// Anything else reads a secret.
        case otherRead
        /// A secret is used where it is.
        case use
        /// Later verdicts are changed, or a person is trusted.
        case decision
        /// An item past its end.
        case endedItem
        /// An item that a person let the program have.
        case grantedItem
        /// The value of an item that was made by a tool which anybody can run.
        case sharedTool
        /// An item that the program made.
        case ownItem
        /// An item that no program is known to have made.
        case nobodysItem
        /// An item that another program made.
        case otherItem
        /// The key of an application for the portal.
        case appKey
        /// The same for one without an id.
        case namelessApp
        /// A whole collection is decided about.
        case collection
    }

    /// What a row does.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Refused; nothing overrides it.
        case deny
        /// Asked each time; a rule may only refuse, and no yes is remembered.
        case askEachTime
        /// Asked each time, unless a rule says otherwise; no yes is remembered.
        case askUnlessRule
        /// Asked, unless a rule or a remembered yes says otherwise.
        case ask
        /// Allowed, unless a rule says otherwise.
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

    /// What the row is called.
    public let name: Name
    /// What happens.
    public let outcome: Outcome
    /// Which acts it is about, in words.
    public let words: String
    /// Which acts it is about.
    let covers: @Sendable (AccessRequest) -> Bool
}
