package import Secrets

/// What a program looks for.
package struct ItemSearch: Hashable, Sendable, Codable {
    /// The id of the collection to look in; nil for all.
    package var collection: String?
    /// What an item must have, all of it; nothing finds every item.
    package var attributes: ItemAttributes
    /// Whether those in the trash are looked for instead; for hsip alone.
    package var inTrash: Bool

    /// A search.
    package init(_ attributes: ItemAttributes = .none, in collection: String? = nil, inTrash: Bool = false) {
        self.attributes = attributes
        self.collection = collection
        self.inTrash = inTrash
    }
}

/// What a search found, each group with the newest change first.
///
/// hsip itself finds everything in `open`. What a rule refuses to a program, and what is another's in the eyes of a
/// sandboxed one, is in neither group.
package struct ItemMatches: Hashable, Sendable, Codable {
    /// Items that the program may have without a question.
    package var open: [ItemPlace] = []
    /// Items that a person is asked about first, and those of a closed collection.
    package var asked: [ItemPlace] = []

    /// Nothing found.
    package init() {}
}
