/// What a person let one command use, with all that it starts, for a while and for a reason.
///
/// It lives in the agent's memory and ends with the command, with its time, and with the lock.
public struct Lease: Hashable, Sendable {
    /// Most leases at a time: each has a connection, and the agent keeps as many for others.
    public static let maximum = 32
    /// Most names in one lease.
    public static let mostNames = 32
    /// The longest that a lease holds, in seconds: a day.
    public static let longest: UInt64 = 86_400
    /// Most characters in a reason.
    public static let longestReason = 200
    /// Most bytes in a reason, so that the log has all of it.
    public static let longestReasonInBytes = 230

    /// The number of its entry in the log, which no other lease of this vault has.
    public let number: UInt64
    /// Why it was given, in the words of the person.
    public let reason: String
    /// What may be used, and how it was then.
    public var things: [LeasedThing: LeasedFacts]
    /// When it ends, in seconds of the clock that cannot be set; 0 if a person or a lock ended it.
    public var ends: UInt64

    /// A lease.
    public init(number: UInt64, reason: String, things: [LeasedThing: LeasedFacts], ends: UInt64) {
        self.number = number
        self.reason = reason
        self.things = things
        self.ends = ends
    }

    /// A lease that covers nothing.
    public static let empty = Lease(number: 0, reason: "", things: [:], ends: 0)

    /// The command that gives a lease, for hints.
    public static func command(_ words: String = "NAME") -> String {
        "hsip lease run \(words) --for 20m --reason TEXT -- COMMAND"
    }

    /// Operations that read a secret and change nothing.
    public static let reading: Set = ["secret.get", "secret.resolve", "secret.whole"]

    /// The rows of the table that a lease may allow: never another user, an unknown program or another machine.
    static let rows: Set<Row.Name> = [
        .confirmEachUse, .directLogin, .otherRead, .grantedItem, .sharedTool, .ownItem, .nobodysItem,
        .otherItem,
    ]

    /// What an act uses of the lease at a moment; nil if the lease does not cover the act.
    public func thing(of act: Act, at moment: UInt64) -> LeasedThing? {
        guard moment < ends else { return nil }
        return switch act {
        case .read(let operation, let name) where Self.reading.contains(operation): held(.secret(name: name))
        case .read(ItemOperation.get, let id): held(.item(id: id))
        case .item(_, let item): held(.item(id: item.id))
        case .sign(let key, .login(_, let server?), .direct) where server.status == .known:
            things.first { _, facts in facts.key == key.fingerprint && facts.isOf(server) }?.key
        default: nil
        }
    }

    private func held(_ thing: LeasedThing) -> LeasedThing? { things[thing] == nil ? nil : thing }

    /// Whether a text can be a reason: one line without control characters, within both limits.
    public static func isReason(_ text: String) -> Bool {
        guard (1...longestReasonInBytes).contains(text.utf8.count), text.count <= longestReason else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                false
            default: true
            }
        }
    }
}

/// A thing that a lease lets a command use, as a person names it.
public enum LeasedThing: Hashable, Sendable, Codable {
    /// The value of a secret, by its name.
    case secret(name: String)
    /// Logins by an SSH key to a server: the key by its name, the server as a rule names it.
    case login(key: String, host: String)
    /// The value of an item of a program, by its id.
    case item(id: String)

    /// What the log and lists show.
    public var text: String {
        switch self {
        case .secret(let name): name
        case .login(let key, let host): "\(key) at \(host)"
        case .item(let id): id
        }
    }

}

/// How a thing was when it was leased.
public struct LeasedFacts: Hashable, Sendable {
    /// The commit that wrote it last; of a login, its key.
    public let revision: UInt64
    /// The fingerprint of the key of a login; empty for anything else.
    public let key: String
    /// The fingerprints of the keys that the vault trusted for the server of a login.
    public let hostKeys: Set<String>
    /// The name of that server, if authorities speak for it; their certificates count.
    public let certifiedName: String?

    /// Facts about a thing.
    public init(
        revision: UInt64,
        key: String = "",
        hostKeys: Set<String> = [],
        certifiedName: String? = nil
    ) {
        self.revision = revision
        self.key = key
        self.hostKeys = hostKeys
        self.certifiedName = certifiedName
    }

    fileprivate func isOf(_ server: HostFacts) -> Bool {
        hostKeys.contains(server.fingerprint) || certifiedName.map(server.names.contains) ?? false
    }
}
