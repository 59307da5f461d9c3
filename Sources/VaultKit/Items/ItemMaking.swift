package import Secrets
package import VaultCrypto

/// An item that a program stores.
package struct ItemMaking: Sendable, Codable {
    /// The id of the item's collection.
    package var collection: String
    /// The label that the program gives.
    package var label: String
    /// The attributes by which the program finds the item.
    package var attributes: ItemAttributes
    /// The content type of the value; nil for `text/plain`.
    package var contentType: String?
    /// The value.
    package var value: Secret
    /// Whether it takes the place of an item of the collection with equal attributes.
    package var replaces: Bool

    /// An item.
    package init(
        collection: String,
        label: String,
        attributes: ItemAttributes,
        contentType: String? = nil,
        value: Secret,
        replaces: Bool = false
    ) {
        self.collection = collection
        self.label = label
        self.attributes = attributes
        self.contentType = contentType
        self.value = value
        self.replaces = replaces
    }
}

/// What became of an item that was stored.
package struct ItemOutcome: Hashable, Sendable, Codable {
    /// The item.
    package let place: ItemPlace
    /// Whether it is a new one; else it took the place of the item that has this id.
    package let isNew: Bool
}
