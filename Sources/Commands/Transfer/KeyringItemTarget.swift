package import RecordStore
package import SecretServiceStore
internal import Secrets
internal import VaultCrypto
package import VaultKit

/// The keyring of the session, as a place for what programs keep in the vault.
package struct KeyringItemTarget {
    /// What became of an item.
    package enum Act: String, Sendable {
        /// The keyring has it now.
        case added
        /// The keyring has an item with equal attributes and this value.
        case known
        /// The keyring has an item with equal attributes and another value, which stays.
        case differs
    }

    private let service: SecretService
    private let collection: String

    /// The default collection; all others are unlocked, too, as an item that nobody sees may be there already.
    ///
    /// - Throws: what the keyring refuses.
    package init(_ service: SecretService) throws(StoreError) {
        self.service = service
        collection = try service.collection(.standard, making: false).path
        let locked = try service.collections().filter(\.isLocked).map(\.path)
        if !locked.isEmpty { try service.unlock(locked) }
    }

    /// Puts an item there, never over another one.
    package func add(_ item: ItemView, _ value: ItemValue) throws(StoreError) -> Act {
        let equal = try equals(of: item)
        guard !equal.isEmpty else {
            let draft = ItemDraft(
                label: item.label,
                attributes: Self.texts(item.attributes),
                secret: value.value,
                contentType: value.contentType
            )
            _ = try service.create(draft, in: collection)
            return .added
        }
        var isKnown = false
        try service.eachSecret(of: equal) { _, bytes in
            if ConstantTime.equal(bytes, value.value) { isKnown = true }
        }
        return isKnown ? .known : .differs
    }

    /// The items of the keyring with equal attributes.
    private func equals(of item: ItemView) throws(StoreError) -> [ItemPath] {
        var wanted = Self.texts(item.attributes)
        // It equals none at all, and services differ in which of the two they keep.
        if wanted["xdg:schema"] == ItemAttributes.genericSchema { wanted["xdg:schema"] = nil }
        let found = try service.find(wanted)
        return try service.facts(of: found.unlocked + found.locked).filter { fact in
            let pairs = fact.attributes.map {
                ItemAttributes.Pair(name: Array($0.key.utf8), value: Array($0.value.utf8))
            }
            return (try? ItemAttributes(pairs))?.isEqual(to: item.attributes) ?? false
        }.map(\.path)
    }

    private static func texts(_ attributes: ItemAttributes) -> [String: String] {
        var texts: [String: String] = [:]
        for pair in attributes.pairs {
            texts[String(decoding: pair.name, as: UTF8.self)] = String(decoding: pair.value, as: UTF8.self)
        }
        return texts
    }
}
