/// A collection as shown to callers.
package struct CollectionView: Hashable, Sendable, Codable {
    /// The id, part of the collection's path on the bus.
    package let id: String
    /// The label of the collection.
    package let label: String
    /// Whether the alias `default` means the collection.
    package let isDefault: Bool
    /// Whether the collection is closed to programs on the bus, until it is opened or the vault is.
    package let isClosed: Bool
    /// The number of items, without those in the trash.
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

/// A change of a collection, or the content of a new one.
package struct CollectionChange: Hashable, Sendable, Codable {
    /// The collection; nil makes a new one, whose id is made from the label.
    package var id: String?
    /// The new label; required for a new collection.
    package var label: String?
    /// Whether the alias `default` means the collection afterwards.
    package var becomesDefault: Bool

    /// A change.
    package init(id: String? = nil, label: String? = nil, becomesDefault: Bool = false) {
        self.id = id
        self.label = label
        self.becomesDefault = becomesDefault
    }
}
