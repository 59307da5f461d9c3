package import Secrets
package import VaultCrypto

/// An item of another keyring.
package struct ImportedItem: Sendable {
    /// The id of the item's new collection.
    package let collection: String
    /// The label that its program set.
    package let label: String
    /// The attributes by which its program finds it.
    package let attributes: ItemAttributes
    /// The content type of the value; nil for `text/plain`.
    package let contentType: String?
    /// The value.
    package let value: Secret
    /// When the item was made, Unix seconds; 0 if unknown.
    package let created: UInt64
    /// When the item last changed, Unix seconds; 0 if unknown.
    package let modified: UInt64

    /// Makes an item to import.
    package init(
        collection: String,
        label: String,
        attributes: ItemAttributes,
        contentType: String? = nil,
        value: Secret,
        created: UInt64 = 0,
        modified: UInt64 = 0
    ) {
        self.collection = collection
        self.label = label
        self.attributes = attributes
        self.contentType = contentType
        self.value = value
        self.created = created
        self.modified = modified
    }
}

/// Items of another keyring, to be imported in one commit; new items have no owner.
package struct ItemImport: Sendable, Codable {
    /// The most items of one import: as many as a vault may have.
    package static let maximum = ItemLimits.items

    private struct Head: Sendable, Codable {
        let collection: String
        let label: String
        let attributes: ItemAttributes
        let contentType: String?
        let created: UInt64
        let modified: UInt64
    }

    private let content: PackedSecrets<Head>
    /// The labels of collections, by id; a missing collection is made with its label.
    package let labels: [String: String]
    /// Whether a different value becomes a new version of an item with equal attributes; if not, it is left out.
    package let updates: Bool

    /// Makes an import.
    ///
    /// - Throws: `VaultError.item`.
    package init(
        _ items: [ImportedItem],
        labels: [String: String] = [:],
        updates: Bool = false
    ) throws(VaultError) {
        let heads = items.map {
            Head(
                collection: $0.collection,
                label: $0.label,
                attributes: $0.attributes,
                contentType: $0.contentType,
                created: $0.created,
                modified: $0.modified
            )
        }
        do throws(CredentialError) {
            content = try PackedSecrets(heads, items.map(\.value))
        } catch {
            throw .item(.outOfMemory)
        }
        self.labels = labels
        self.updates = updates
    }

    /// The number of items.
    var count: Int { content.count }

    /// The items, in their order.
    func items() throws -> [ImportedItem] {
        do throws(CredentialError) {
            return try content.all().map { head, value in
                ImportedItem(
                    collection: head.collection,
                    label: head.label,
                    attributes: head.attributes,
                    contentType: head.contentType,
                    value: value,
                    created: head.created,
                    modified: head.modified
                )
            }
        } catch {
            throw VaultError.malformedCall
        }
    }
}

/// The outcome of an import for one item, done or simulated.
package struct ItemImportOutcome: Hashable, Sendable, Codable {
    /// The change that the import made.
    package enum Act: String, Hashable, Sendable, Codable {
        /// The item was added.
        case added
        /// The value became the newest version of an item with equal attributes.
        case versioned
        /// An item with equal attributes had the value already.
        case known
        /// An item with equal attributes has another value, so it was left out.
        case differs
        /// The limit of items or collections is reached, so it was left out.
        case noRoom
    }

    /// The item in the vault; in a trial a new item has no id.
    package let place: ItemPlace?
    /// The change that the import made.
    package let act: Act
}
