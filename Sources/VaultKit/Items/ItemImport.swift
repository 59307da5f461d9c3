internal import Credentials
internal import ServiceFormats

/// Items of another keyring, to be taken in one commit; nobody owns what is new.
package struct ItemImport: Sendable, Codable {
    /// Items of one import: as many as a vault may have.
    package static let maximum = ItemLimits.items

    private struct Head: Sendable, Codable {
        let collection: String
        let label: String
        let attributes: ItemAttributes
        let contentType: String?
    }

    private let heads: [Head]
    private let values: SecretPack
    /// Labels of collections, by their ids: one that is not there is made under its label.
    package let labels: [String: String]
    /// Whether another value becomes a new version of an item with equal attributes; else it is left out.
    package let updates: Bool

    /// An import; what the items say of replacing does not count.
    ///
    /// - Throws: `VaultError.item`.
    package init(
        _ items: [ItemMaking],
        labels: [String: String] = [:],
        updates: Bool = false
    ) throws(VaultError) {
        heads = items.map {
            Head(
                collection: $0.collection,
                label: $0.label,
                attributes: $0.attributes,
                contentType: $0.contentType
            )
        }
        do throws(CredentialError) {
            values = try SecretPack(items.map(\.value))
        } catch {
            throw .item(.outOfMemory)
        }
        self.labels = labels
        self.updates = updates
    }

    /// How many items there are.
    var count: Int { heads.count }

    /// The items, in their order.
    func items() throws(VaultError) -> [ItemMaking] {
        do throws(CredentialError) {
            let values = try values.secrets()
            guard values.count == heads.count else { throw CredentialError.malformed }
            return zip(heads, values).map { head, value in
                ItemMaking(
                    collection: head.collection,
                    label: head.label,
                    attributes: head.attributes,
                    contentType: head.contentType,
                    value: value
                )
            }
        } catch {
            throw .malformedCall
        }
    }
}

/// What became, or would become, of one item of an import.
package struct ItemImportOutcome: Hashable, Sendable, Codable {
    /// What was done.
    package enum Act: String, Hashable, Sendable, Codable {
        /// It is in the vault.
        case added
        /// An item with equal attributes has its value as the newest version.
        case versioned
        /// An item with equal attributes has its value already.
        case known
        /// An item with equal attributes has another value, so it was left out.
        case differs
    }

    /// The item in the vault; a trial gives no id to one that would be new.
    package let place: ItemPlace?
    /// What was done.
    package let act: Act
}
