/// An action that a requester asks for.
public enum Act: Hashable, Sendable {
    /// A signature by an SSH key.
    case sign(KeyFacts, Purpose, Route)
    /// Return a secret, or tell whether a value equals it: the operation, and the name of the secret.
    case read(operation: String, name: String)
    /// Use a secret without returning it, such as for a message to a contact: the operation, and the name.
    case use(operation: String, name: String)
    /// Change later decisions, or trust a contact: the operation, and the name of its object.
    case decide(operation: String, name: String)
    /// Return the value of an item to a program on the bus.
    case item(operation: String, ItemFacts)
    /// Change an item for a program on the bus: its value, its attributes, or its existence.
    case itemChange(operation: String, ItemFacts)
    /// Return the key of an application to the portal; the name is the application's id, or empty.
    case applicationKey(operation: String, name: String)
    /// Make a decision about a whole collection for a program on the bus: the operation, and the collection's name.
    case collection(operation: String, name: String)

    /// The kind, as in rules, the log and the table.
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

    /// The object of the act: the name of the key or the secret, or the label of the item with its id.
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

    /// Whether the act is one that only programs on the bus ask for.
    var isOfBus: Bool { [.item, .itemChange].contains(kind) }

    /// The server, if it is known.
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

/// The facts about an SSH key that a decision needs.
public struct KeyFacts: Hashable, Sendable {
    /// Its name in the vault, or the comment it was added with.
    public let name: String
    /// The fingerprint, `SHA256:…`; rules and remembered approvals refer to it.
    public let fingerprint: String
    /// Whether its owner is asked before each use.
    public let needsConfirmation: Bool
    /// The namespaces under which it signs files; nil for a key that `ssh-add` brought for a session.
    public let namespaces: [String]?

    /// Creates the facts about a key.
    public init(name: String, fingerprint: String, needsConfirmation: Bool, namespaces: [String]?) {
        self.name = name
        self.fingerprint = fingerprint
        self.needsConfirmation = needsConfirmation
        self.namespaces = namespaces
    }
}

/// The purpose of the data to sign, detected from the bytes.
public enum Purpose: Hashable, Sendable {
    /// A login as `user`; the server, if the session names it.
    case login(user: String, host: HostFacts?)
    /// A file or a commit, under a namespace (SSHSIG).
    case file(namespace: String)
    /// A certificate for another key.
    case certificate
    /// Bytes of unknown meaning.
    case raw

    /// The kind, as in rules, the log and the table.
    public var kind: ActKind {
        switch self {
        case .login: .login
        case .file: .file
        case .certificate: .certificate
        case .raw: .raw
        }
    }

    /// The server, if it is known.
    public var host: HostFacts? {
        guard case .login(_, let host) = self else { return nil }
        return host
    }
}

/// The way by which a signing request reached the agent.
public enum Route: Hashable, Sendable {
    /// Over a connection that its program bound to one session of its own.
    case direct
    /// Over a connection without a bound session: its destination is unknown.
    case unbound
    /// From another machine, through these hosts, the nearest first; empty if none has a name.
    case forwarded(through: [String])
    /// From another machine, through this host alone.
    ///
    /// The host and the server both signed for their sessions, and the login names the server's key.
    case relayed(through: HostFacts)

    /// The hosts that a request from another machine came through, the nearest first; nil for a request of this
    /// machine.
    public var way: [String]? {
        switch self {
        case .direct, .unbound: nil
        case .forwarded(let hosts): hosts
        case .relayed(let host): [host.names.first ?? host.fingerprint]
        }
    }
}

/// The kinds of acts that a decision is about.
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
