internal import Secrets
package import VaultCrypto

/// A request for the values of at most 100 items.
package struct ItemReading: Hashable, Sendable, Codable {
    /// The most items of one call.
    package static let maximum = 100
    /// Bytes of the values in one answer, 8 MiB; items beyond that are left out, and the caller requests them again.
    package static let longest = 8 << 20

    /// The items.
    package let ids: [String]
    /// Whether the call waits for a person; otherwise items that need a question are left out.
    package let holds: Bool
    /// The version, which only hsip may set; nil for the present version.
    package let version: UInt32?

    /// Makes a request.
    package init(_ ids: [String], holds: Bool = true, version: UInt32? = nil) {
        self.ids = ids
        self.holds = holds
        self.version = version
    }
}

/// The value of an item.
package struct ItemValue: Sendable {
    /// The place of the item.
    package let place: ItemPlace
    /// The content type; nil for `text/plain`.
    package let contentType: String?
    /// The number of the version.
    package let version: UInt32
    /// The value.
    package let value: Secret
}

extension ItemValue {
    /// The facts about a value, for sending to another process.
    struct Head: Sendable, Codable {
        let place: ItemPlace
        let contentType: String?
        let version: UInt32
    }

    var head: Head { Head(place: place, contentType: contentType, version: version) }
}

extension PackedSecrets<ItemValue.Head> {
    /// The values, in their order.
    func values() throws(CredentialError) -> [ItemValue] {
        try all().map { head, value in
            ItemValue(
                place: head.place,
                contentType: head.contentType,
                version: head.version,
                value: value
            )
        }
    }
}
