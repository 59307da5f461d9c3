package import RecordStore
internal import VaultCrypto

/// The second copy of a vault file's anchor, in an item of the Secret Service (Schemas/keyring-vault.md
/// section 1).
///
/// A person who restores an old vault file and an old state folder must have the keyring, too.
package enum KeyringAnchor {
    private static let schema = "io.hsip.vault.Anchor"

    /// The highest position of a vault in the keyring.
    ///
    /// Nil if none can be read; a malformed one counts as missing.
    package static func read(
        _ vaultID: [UInt8],
        in service: any ItemService
    ) throws(StoreError) -> AnchorText? {
        try texts(vaultID, service).map(\.text).max { $0.position < $1.position }
    }

    /// Stores a committed head; a higher one stays.
    ///
    /// Two processes at once may leave the lower of their heads, which never raises a false alarm.
    ///
    /// - Parameters:
    ///   - text: The head, with the id of its vault.
    ///   - name: The name of the vault, for the label.
    ///   - collection: The D-Bus path of an unlocked collection, for a new item.
    ///   - service: The keyring that remembers the position.
    /// - Throws: The errors of the service; `outOfMemory`.
    package static func raise(
        to text: AnchorText,
        name: String,
        in collection: String,
        _ service: any ItemService
    ) throws(StoreError) {
        let present = try texts(text.vaultID, service)
        let secret: Secret
        do { secret = try Secret(copying: text.encoded) } catch { throw StoreError(error) }
        guard let best = present.max(by: { $0.text.position < $1.text.position }) else {
            return try make(text, secret, name, collection, service)
        }
        for other in present where other.item != best.item { try service.delete(other.item) }
        if best.text.position < text.position { try service.setSecret(secret, of: best.item) }
    }

    /// Removes the anchor of a vault whose last key slot in the keyring is gone.
    package static func remove(_ vaultID: [UInt8], _ service: any ItemService) throws(StoreError) {
        let items = try service.find(attributes(vaultID))
        for item in items.unlocked { try service.delete(item) }
    }

    /// Reuses an existing empty item, which an interrupted service left.
    private static func make(
        _ text: AnchorText,
        _ secret: Secret,
        _ name: String,
        _ collection: String,
        _ service: any ItemService
    ) throws(StoreError) {
        if let empty = try service.find(attributes(text.vaultID)).unlocked.first {
            return try service.setSecret(secret, of: empty)
        }
        _ = try service.create(
            ItemDraft(
                label: "HSIP last state of the vault \(name)",
                attributes: attributes(text.vaultID),
                secret: secret
            ),
            in: collection
        )
    }

    private static func texts(
        _ vaultID: [UInt8],
        _ service: any ItemService
    ) throws(StoreError) -> [(item: ItemPath, text: AnchorText)] {
        let items = try service.find(attributes(vaultID)).unlocked
        guard !items.isEmpty else { return [] }
        var texts: [(item: ItemPath, text: AnchorText)] = []
        try service.eachSecret(of: items) { item, bytes throws(StoreError) in
            guard let text = AnchorText(bytes.copied()), text.vaultID == vaultID else { return }
            texts.append((item, text))
        }
        return texts
    }

    private static func attributes(_ vaultID: [UInt8]) -> [String: String] {
        ["xdg:schema": schema, "vault": Hex.encode(vaultID)]
    }
}
