package import RecordStore
package import VaultCrypto

/// The secret of a key slot of a vault file, in an item of the Secret Service (Schemas/keyring-vault.md
/// section 1).
package struct KeyringSlot: Sendable {
    private static let schema = "io.hsip.vault.Slot"

    /// The path of the item.
    package let item: ItemPath
    /// The secret that opens the vault.
    package let unlock: Unlock

    /// The collection of the item.
    package var collection: String {
        item.lastIndex(of: "/").map { String(item[..<$0]) } ?? item
    }

    /// The slot items of one vault in the keyring.
    package struct Found: Sendable {
        /// The readable slots.
        package let slots: [KeyringSlot]
        /// The number of locked items.
        package let locked: Int
        /// The number of readable items without the secret of a slot.
        package let damaged: Int
    }

    /// Finds the items of a vault without a question and without unlocking.
    package static func find(
        _ vaultID: [UInt8],
        in service: any ItemService
    ) throws(StoreError) -> Found {
        let items = try service.find(attributes(vaultID))
        var slots: [KeyringSlot] = []
        if !items.unlocked.isEmpty {
            try service.eachSecret(of: items.unlocked) { item, text throws(StoreError) in
                guard let secret = try HexSecret.decode(text) else { return }
                slots.append(KeyringSlot(item: item, unlock: .secretService(secret)))
            }
        }
        return Found(
            slots: slots.sorted { $0.item < $1.item },
            locked: items.locked.count,
            damaged: items.unlocked.count - slots.count
        )
    }

    /// Makes a secret and an item for it, before the slot itself is written.
    ///
    /// The secret is read back and compared, because nothing could open a slot whose secret was stored
    /// wrongly.
    ///
    /// - Parameters:
    ///   - vaultID: The vault's id, for the attributes of the item.
    ///   - number: The number of the future slot.
    ///   - name: The name of the vault, for the label.
    ///   - collection: The D-Bus path of an unlocked collection.
    ///   - service: The keyring that gets the item.
    ///   - entropy: The source of the secret.
    /// - Returns: The item with its secret.
    /// - Throws: `commitUnknown` if the item does not hold the secret, which is then removed again; the
    ///   errors of the service.
    package static func make(
        for vaultID: [UInt8],
        number: UInt32,
        name: String,
        in collection: String,
        _ service: any ItemService,
        entropy: Entropy
    ) throws(StoreError) -> KeyringSlot {
        let secret: Secret
        do { secret = Secret(try entropy.secret(Unlock.secretServiceSize)) } catch { throw StoreError(error) }
        let text = try HexSecret.encode(secret)
        let draft = ItemDraft(
            label: label(name, number),
            attributes: attributes(vaultID, number),
            secret: text
        )
        let item = try service.create(draft, in: collection)
        var isSame = false
        try service.eachSecret(of: [item]) { _, found throws(StoreError) in
            isSame = try HexSecret.decode(found).map { ConstantTime.equal($0, secret) } ?? false
        }
        guard isSame else {
            try? service.delete(item)
            throw .commitUnknown
        }
        return KeyringSlot(item: item, unlock: .secretService(secret))
    }

    /// Relabels the item after its slot got another number than planned.
    package func renumber(
        to number: UInt32,
        of vaultID: [UInt8],
        name: String,
        _ service: any ItemService
    ) throws(StoreError) {
        try service.describe(
            item,
            label: Self.label(name, number),
            attributes: Self.attributes(vaultID, number)
        )
    }

    /// Removes the item.
    package func remove(_ service: any ItemService) throws(StoreError) {
        try service.delete(item)
    }

    /// Removes the items of one slot, after unlocking them if that is allowed.
    ///
    /// - Returns: The number of removed items.
    @discardableResult
    package static func remove(
        number: UInt32,
        of vaultID: [UInt8],
        _ service: any ItemService
    ) throws(StoreError) -> Int {
        let wanted = attributes(vaultID, number)
        let locked = try service.find(wanted).locked
        if !locked.isEmpty { try service.unlock(locked) }
        // A locked keyring may have ignored the schema and returned other items, so ask again.
        let items = try service.find(wanted).unlocked
        for item in items { try service.delete(item) }
        return items.count
    }

    private static func attributes(_ vaultID: [UInt8], _ number: UInt32? = nil) -> [String: String] {
        var attributes = ["xdg:schema": schema, "vault": Hex.encode(vaultID)]
        attributes["slot"] = number.map { "\($0)" }
        return attributes
    }

    private static func label(_ name: String, _ number: UInt32) -> String {
        "HSIP key slot \(number) of the vault \(name)"
    }
}
