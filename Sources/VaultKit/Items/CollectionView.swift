/// What is told of a collection.
package struct CollectionView: Hashable, Sendable, Codable {
    /// The id, which its path on the bus is made from.
    package let id: String
    /// What it is called.
    package let label: String
    /// Whether the alias `default` names it.
    package let isDefault: Bool
    /// Whether it is closed for programs on the bus, until it is opened or the vault is.
    package let isClosed: Bool
    /// How many items are in it, those in the trash left out.
    package let count: Int
    /// When it was made, Unix seconds; 0 for `login` before anything was changed about it.
    package let created: UInt64
    /// When it or the newest change of its items was written, Unix seconds.
    package let modified: UInt64

    /// A collection, as far as it is known.
    package init(
        id: String,
        label: String,
        isDefault: Bool,
        isClosed: Bool = false,
        count: Int = 0,
        created: UInt64 = 0,
        modified: UInt64 = 0
    ) {
        self.id = id
        self.label = label
        self.isDefault = isDefault
        self.isClosed = isClosed
        self.count = count
        self.created = created
        self.modified = modified
    }
}

/// What is changed about a collection, or how a new one is made.
package struct CollectionChange: Hashable, Sendable, Codable {
    /// The collection; nil makes a new one, whose id is made from the label.
    package var id: String?
    /// What it is called from now on; a new one needs it.
    package var label: String?
    /// Whether the alias `default` names it from now on.
    package var becomesDefault: Bool

    /// A change.
    package init(id: String? = nil, label: String? = nil, becomesDefault: Bool = false) {
        self.id = id
        self.label = label
        self.becomesDefault = becomesDefault
    }
}
