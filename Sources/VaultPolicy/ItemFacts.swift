/// The facts about a program's secret that a decision needs.
public struct ItemFacts: Hashable, Sendable {
    /// The item's id; rules and remembered approvals refer to it.
    public let id: String
    /// The label that its program gave it.
    public let label: String
    /// The program that made the item; nil if unknown.
    public let owner: ProgramIdentity?
    /// The attribute `xdg:schema`; nil if the item has none.
    public let schema: String?
    /// The relation between the item and the requesting program.
    public let relation: ItemRelation
    /// Whether the requesting process itself stored the current value.
    public let isOwnValue: Bool
    /// Whether the item has expired.
    public let hasEnded: Bool
    /// The creation time, as Unix time in seconds.
    ///
    /// It is for display only.
    public let created: UInt64
    /// The first attributes, as names and values.
    ///
    /// They are for display only.
    public let attributes: [String]

    /// Creates the facts about an item.
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

    /// The name of the item in the log and in prompts about several items.
    public var name: String { label.isEmpty ? id : "\(label) (\(id))" }
}

/// The relation between an item and a program, the closest first.
public enum ItemRelation: Int, Comparable, Sendable {
    /// The program made the item.
    case own
    /// A person gave the program permanent access.
    case granted
    /// The program that made the item is unknown.
    case nobodys
    /// Another program made the item.
    case others

    /// Orders the closer relation first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The facts about the server of a login that a decision needs.
public struct HostFacts: Hashable, Sendable {
    /// The vault's verdict on the server's key.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// The key is trusted under at least one name.
        case known
        /// The vault has never seen the key.
        case unknown
        /// The requested name has another key in the vault.
        case changed
        /// The key was revoked by its owner or by the user.
        case revoked
    }

    /// The names under which the key is known; empty if it is unknown.
    public let names: [String]
    /// The names of the profiles that lead to the server.
    public var profiles: [String] = []
    /// The fingerprint of the server's key, `SHA256:…`.
    public let fingerprint: String
    /// The vault's verdict on the key.
    public let status: Status
    /// The time since when the key is known, as Unix time in seconds; nil if it was not recorded.
    ///
    /// It is for display only.
    public let knownSince: UInt64?

    /// Creates the facts about a server.
    public init(names: [String], fingerprint: String, status: Status, knownSince: UInt64? = nil) {
        self.names = names
        self.fingerprint = fingerprint
        self.status = status
        self.knownSince = knownSince
    }
}
