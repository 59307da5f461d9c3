package import Secrets
package import VaultPolicy

/// Everything about an item except its value.
package struct ItemView: Hashable, Sendable, Codable {
    /// The place of the item.
    package let place: ItemPlace
    /// The label that its program set.
    package let label: String
    /// The attributes by which its program finds it.
    package let attributes: ItemAttributes
    /// The content type of the value; nil for `text/plain`.
    package let contentType: String?
    /// When the item was made, Unix seconds.
    package let created: UInt64
    /// When value, label or attributes last changed, Unix seconds.
    package let modified: UInt64
    /// Whether the program may read the item without a question; true for hsip itself.
    package let isOpen: Bool
    /// Facts for hsip itself; nil for a program on the bus.
    package let details: Details?

    /// Facts that programs on the bus do not get.
    package struct Details: Hashable, Sendable, Codable {
        /// The program that owns the item; nil for none.
        package let owner: ProgramIdentity?
        /// Programs that a person lets read the item permanently.
        package let readers: [ProgramIdentity]
        /// The program that wrote the present value; nil if unknown.
        package let writer: ProgramIdentity?
        /// Expiry, Unix seconds; nil for never.
        package let expires: UInt64?
        /// When the item was moved to the trash, Unix seconds; nil if it is not there.
        package let removedAt: UInt64?
    }
}

/// A search for items by a program.
package struct ItemSearch: Hashable, Sendable, Codable {
    /// The id of the collection to search in; nil for all.
    package var collection: String?
    /// The attributes that an item must have; an empty search finds every item.
    package var attributes: ItemAttributes
    /// Whether to search the trash instead; only for hsip itself.
    package var inTrash: Bool

    /// Makes a search.
    package init(_ attributes: ItemAttributes = .none, in collection: String? = nil, inTrash: Bool = false) {
        self.attributes = attributes
        self.collection = collection
        self.inTrash = inTrash
    }
}

/// The items that a search found, each group with the newest change first.
///
/// For hsip itself all items are in `open`. Items that a rule refuses to the program, and items of other
/// programs that a sandboxed program does not see, are in neither group.
package struct ItemMatches: Hashable, Sendable, Codable {
    /// Items that the program may read without a question.
    package var open: [ItemPlace] = []
    /// Items that need a question first, and items of a closed collection.
    package var asked: [ItemPlace] = []

    /// Makes an empty result.
    package init() {}
}

/// The place of an item: the last two parts of its path on the bus, before they are written as a path.
package struct ItemPlace: Hashable, Sendable {
    /// The id of the item's collection.
    package let collection: String
    /// The item's own id.
    package let id: String

    /// Makes a place.
    package init(collection: String, id: String) {
        self.collection = collection
        self.id = id
    }

    /// Reads a place from its text; nil if it is invalid.
    ///
    /// The id of an item has no slash.
    package init?(_ text: String) {
        guard let slash = text.utf8.lastIndex(of: 0x2F) else { return nil }
        collection = String(text[..<slash])
        id = String(text[text.utf8.index(after: slash)...])
        guard ItemRecord.isID(id), CollectionRecord.isID(collection) else { return nil }
    }

    /// The place as one text, because an answer may have twenty thousand of them.
    package var text: String { "\(collection)/\(id)" }
}

extension ItemPlace: Codable {
    /// Reads the place from its text.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let place = ItemPlace(text) else { throw VaultError.malformedCall }
        self = place
    }

    /// Writes the place as a text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

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
    /// The number of items outside the trash.
    package let count: Int
    /// When the collection was made, Unix seconds; 0 for `login` before its first change.
    package let created: UInt64
    /// When the collection or an item in it last changed, Unix seconds.
    package let modified: UInt64

    /// Makes a view of a collection.
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

    /// Makes a change.
    package init(id: String? = nil, label: String? = nil, becomesDefault: Bool = false) {
        self.id = id
        self.label = label
        self.becomesDefault = becomesDefault
    }
}
