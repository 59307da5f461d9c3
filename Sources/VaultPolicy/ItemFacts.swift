/// What a verdict needs to know of a program's secret.
public struct ItemFacts: Hashable, Sendable {
    /// Its id, which rules and remembered answers hold on to.
    public let id: String
    /// What its program calls it.
    public let label: String
    /// The program that made it; nil for nobody.
    public let owner: ProgramIdentity?
    /// Its attribute `xdg:schema`; nil for none.
    public let schema: String?
    /// What it is to the program that asks.
    public let relation: ItemRelation
    /// Whether the very process that asks has stored the present value.
    public let isOwnValue: Bool
    /// Whether it is past its end.
    public let hasEnded: Bool
    /// When it was made, Unix seconds.
    ///
    /// For display only.
    public let created: UInt64
    /// The first of its attributes, names and values.
    ///
    /// For display only.
    public let attributes: [String]

    /// What is known of an item.
    public init(
        id: String,
        label: String,
        owner: ProgramIdentity?,
        schema: String? = nil,
        relation: ItemRelation,
        isOwnValue: Bool = false,
        hasEnded: Bool = false,
        created: UInt64 = 0,
        attributes: [String] = []
    ) {
        self.id = id
        self.label = label
        self.owner = owner
        self.schema = schema
        self.relation = relation
        self.isOwnValue = isOwnValue
        self.hasEnded = hasEnded
        self.created = created
        self.attributes = attributes
    }

    /// The item in the log and in questions about several.
    public var name: String { label.isEmpty ? id : "\(label) (\(id))" }
}

/// What an item is to a program.
public enum ItemRelation: Int, Comparable, Sendable {
    /// It made it.
    case own
    /// A person let it have it for good.
    case granted
    /// No program is known to have made it.
    case nobodys
    /// Another program made it.
    case others

    /// The nearer one first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a verdict needs to know of the server at the other end.
public struct HostFacts: Hashable, Sendable {
    /// What the vault says about the server's key.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// It is trusted under at least one name.
        case known
        /// The vault has never seen it.
        case unknown
        /// The name that is meant has another key here.
        case changed
        /// Its owner, or the person here, took it back.
        case revoked
    }

    /// The names under which the key is known; none when it is not.
    public let names: [String]
    /// The names of the profiles that lead there.
    public var profiles: [String] = []
    /// The fingerprint of the server's key, `SHA256:…`.
    public let fingerprint: String
    /// What the vault says about it.
    public let status: Status
    /// Since when it is known, Unix seconds; nil where that was not noted.
    ///
    /// For display only.
    public let knownSince: UInt64?

    /// What is known of a server.
    public init(names: [String], fingerprint: String, status: Status, knownSince: UInt64? = nil) {
        self.names = names
        self.fingerprint = fingerprint
        self.status = status
        self.knownSince = knownSince
    }
}
