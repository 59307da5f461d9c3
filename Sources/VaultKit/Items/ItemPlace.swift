internal import Secrets

/// Where an item is: the two last parts of its path on the bus, before they are written as a path.
package struct ItemPlace: Hashable, Sendable {
    /// The id of its collection.
    package let collection: String
    /// Its own id.
    package let id: String

    /// The place of an item.
    package init(collection: String, id: String) {
        self.collection = collection
        self.id = id
    }

    /// The place that a text names; nil for one that no item can have.
    ///
    /// The id of an item has no slash in it.
    package init?(_ text: String) {
        guard let slash = text.utf8.lastIndex(of: 0x2F) else { return nil }
        collection = String(text[..<slash])
        id = String(text[text.utf8.index(after: slash)...])
        guard ItemRecord.isID(id), CollectionRecord.isID(collection) else { return nil }
    }

    /// One text, as there may be twenty thousand in one answer.
    package var text: String { "\(collection)/\(id)" }
}

extension ItemPlace: Codable {
    /// Reads its text.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let place = ItemPlace(text) else { throw VaultError.malformedCall }
        self = place
    }

    /// Writes its text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
