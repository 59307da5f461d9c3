/// The permission for one command, and the programs that it starts, to use some secrets for a limited time and a
/// stated reason.
///
/// It stays in the agent's memory, and ends with the command, after its time, or with a lock.
public struct Lease: Hashable, Sendable {
    /// The largest number of leases: each needs a connection, and the agent reserves as many for other programs.
    public static let maximum = 32
    /// The largest number of names in one lease.
    public static let mostNames = 32
    /// The longest duration of a lease in seconds: one day.
    public static let longest: UInt64 = 86_400
    /// The length of the longest reason in characters.
    public static let longestReason = 200
    /// The length of the longest reason in bytes, so that the log has all of it.
    public static let longestReasonInBytes = 230

    /// The number of its log entry, which is unique in this vault.
    public let number: UInt64
    /// The reason, in the person's words.
    public let reason: String
    /// The leased objects, and their state at that time.
    public var things: [LeasedThing: LeasedFacts]
    /// The end, in seconds of the clock that cannot be set; 0 if a person or a lock ended the lease.
    public var ends: UInt64

    /// Creates a lease.
    public init(number: UInt64, reason: String, things: [LeasedThing: LeasedFacts], ends: UInt64) {
        self.number = number
        self.reason = reason
        self.things = things
        self.ends = ends
    }

    /// A lease without objects.
    public static let empty = Lease(number: 0, reason: "", things: [:], ends: 0)

    /// The command that creates a lease, for hints.
    public static func command(_ words: String = "NAME") -> String {
        "hsip lease run \(words) --for 20m --reason TEXT -- COMMAND"
    }

    /// Operations that read a secret and change nothing.
    public static let reading: Set = ["secret.get", "secret.resolve", "secret.whole"]

    /// The table rows that a lease may allow: never another user, an unknown program or another machine.
    static let rows: Set<Row.Name> = [
        .confirmEachUse, .directLogin, .otherRead, .grantedItem, .sharedTool, .ownItem, .nobodysItem,
        .otherItem,
    ]

    /// Returns the leased object that an act uses at a moment; nil if the lease does not cover the act.
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

/// An object that a lease lets a command use, as a person names it.
public enum LeasedThing: Hashable, Sendable, Codable {
    /// The value of a secret, by the name of the secret.
    case secret(name: String)
    /// Logins by an SSH key to a server: the key by its name, the server in the form of a rule.
    case login(key: String, host: String)
    /// The value of an item of a program, by its id.
    case item(id: String)

    /// The text in the log and in lists.
    public var text: String {
        switch self {
        case .secret(let name): name
        case .login(let key, let host): "\(key) at \(host)"
        case .item(let id): id
        }
    }

}

/// The state of an object when it was leased.
public struct LeasedFacts: Hashable, Sendable {
    /// The commit that wrote it last; for a login, the commit of its key.
    public let revision: UInt64
    /// The fingerprint of the key of a login; empty for other objects.
    public let key: String
    /// The fingerprints of the keys that the vault trusted for the server of a login.
    public let hostKeys: Set<String>
    /// The name of that server if trusted authorities certify it; certificates for it are then accepted.
    public let certifiedName: String?

    /// Creates the state of an object.
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
