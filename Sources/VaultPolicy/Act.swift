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
    /// Giving a program on the bus the value of an item.
    case item(operation: String, ItemFacts)
    /// Changing an item for a program on the bus: its value, what it is found by, or that it is there.
    case itemChange(operation: String, ItemFacts)
    /// Giving the portal the key of an application, which is named by its id; empty for one without.
    case applicationKey(operation: String, name: String)
    /// Deciding for a program on the bus about a whole collection, by its name.
    case collection(operation: String, name: String)

    /// The kind, as rules, the log and the table spell it.
    public var kind: ActKind {
        switch self {
        case .sign(_, let purpose, _): purpose.kind
        case .read: .read
        case .use: .use
        case .decide: .decide
        case .item, .applicationKey: .item
        case .itemChange, .collection: .itemChange
        }
    }

    /// What it is done to: the name of the key or the secret, the label of the item with its id.
    public var subject: String {
        switch self {
        case .sign(let key, _, _): key.name
        case .read(_, let name), .use(_, let name), .decide(_, let name), .applicationKey(_, let name),
            .collection(_, let name):
            name
        case .item(_, let item), .itemChange(_, let item): item.name
        }
    }

    /// The item of a program; nil for any other act.
    public var item: ItemFacts? {
        switch self {
        case .item(_, let item), .itemChange(_, let item): item
        default: nil
        }
    }

    /// Whether it is one of those that programs on the bus ask for, and none else does.
    var isOfBus: Bool { [.item, .itemChange].contains(kind) }

    /// The server, where one is known.
    public var host: HostFacts? {
        guard case .sign(_, let purpose, _) = self else { return nil }
        return purpose.host
    }

    /// The request came from another machine.
    public var isForwarded: Bool {
        guard case .sign(_, _, let route) = self else { return false }
        return route.way != nil
    }
}

/// What a verdict needs to know of an SSH key.
public struct KeyFacts: Hashable, Sendable {
    /// Its name in the vault, or the comment it was added with.
    public let name: String
    /// Its fingerprint, `SHA256:…`; what a rule or a remembered yes holds on to.
    public let fingerprint: String
    /// Its owner is asked before each use.
    public let needsConfirmation: Bool
    /// The namespaces under which it signs files; nil for a key that `ssh-add` brought for a session.
    public let namespaces: [String]?

    /// What is known of a key.
    public init(name: String, fingerprint: String, needsConfirmation: Bool, namespaces: [String]?) {
        self.name = name
        self.fingerprint = fingerprint
        self.needsConfirmation = needsConfirmation
        self.namespaces = namespaces
    }
}

/// What is signed, as the bytes themselves tell.
public enum Purpose: Hashable, Sendable {
    /// A login as `user`; the server, where the session names it.
    case login(user: String, host: HostFacts?)
    /// A file or a commit, under a namespace (SSHSIG).
    case file(namespace: String)
    /// A certificate for another key.
    case certificate
    /// Anything else: bytes whose meaning is not known.
    case raw

    /// The kind, as rules, the log and the table spell it.
    public var kind: ActKind {
        switch self {
        case .login: .login
        case .file: .file
        case .certificate: .certificate
        case .raw: .raw
        }
    }

    /// The server, where one is known.
    public var host: HostFacts? {
        guard case .login(_, let host) = self else { return nil }
        return host
    }
}

/// How a request to sign reached the agent.
public enum Route: Hashable, Sendable {
    /// By a connection that its program bound to one session of its own.
    case direct
    /// By a connection that was bound to no session: where it leads is not known.
    case unbound
    /// From another machine, through the hosts named here, the nearest first (empty where none has a name).
    case forwarded(through: [String])
    /// From another machine, through this host alone: both it and the server signed for their sessions, and the login names
    /// the server's key.
    case relayed(through: HostFacts)

    /// The hosts that a request from another machine came through, the nearest first; nil for a request of this machine.
    public var way: [String]? {
        switch self {
        case .direct, .unbound: nil
        case .forwarded(let hosts): hosts
        case .relayed(let host): [host.names.first ?? host.fingerprint]
        }
    }
}

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

/// What a rule says about the acts that it covers.
///
/// Where several rules cover one act, the strictest holds, in whatever order they were made.
public enum Effect: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// They may happen.
    case allow
    /// The owner is asked, unless a remembered yes answers.
    case ask
    /// The owner is asked about every use, and no yes is remembered.
    case each
    /// They may not.
    case deny

    private var strictness: Int {
        switch self {
        case .allow: 0
        case .ask: 1
        case .each: 2
        case .deny: 3
        }
    }

    /// The effect in words, as a question shows it.
    public var words: String { self == .each ? "ask each time" : rawValue }

    /// The less strict one comes first.
    public static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }
}
