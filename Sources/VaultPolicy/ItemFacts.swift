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
