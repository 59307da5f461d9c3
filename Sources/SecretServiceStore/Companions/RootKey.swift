internal import RecordStore
internal import VaultCrypto

/// The key of the root's copy, in an item of its own (Schemas/keyring-vault.md section 1).
///
/// The item has none of the attributes that find the vault's items, so a program that replaces those leaves
/// it alone.
struct RootKey: Sendable {
    /// The name of the vault.
    let name: String
    /// The collection of the root.
    let collection: ItemPath
    let key: Secret

    /// The items of a vault that may hold the key, by path: any program can add one, or overwrite one.
    ///
    /// - Throws: The errors of the service; `keyringLocked`.
    static func all(_ vaultID: [UInt8], in service: any ItemService) throws(StoreError) -> [RootKey] {
        let found = try service.find(query(vaultID))
        guard found.locked.isEmpty else { throw .keyringLocked }
        guard !found.unlocked.isEmpty else { return [] }
        var keys: [ItemPath: Secret] = [:]
        try service.eachSecret(of: found.unlocked) { path, text throws(StoreError) in
            // Another program wrote an item without a key.
            keys[path] = try HexSecret.decode(text)
        }
        var names: [ItemPath: String] = [:]
        for item in try service.facts(of: keys.keys.sorted()) {
            names[item.path] = item.attributes[ItemNames.called]
        }
        return keys.sorted { $0.key < $1.key }.map { path, key in
            RootKey(name: names[path] ?? "", collection: SecretServiceStore.collection(of: path), key: key)
        }
    }

    /// Makes the item for the present root, if it is missing or holds another key.
    static func keep(_ root: FoundRoot, _ items: KeyringItems) throws(StoreError) {
        let text = try HexSecret.encode(root.root.keys.copy)
        let paths = try items.paths(query(items.vaultID))
        for path in paths where try items.holds(text, at: path) { return }
        // An item that another program overwrote belongs to that program.
        let name = try items.service.facts(of: [root.path]).first?.attributes[ItemNames.name] ?? ""
        var attributes = query(items.vaultID)
        attributes[ItemNames.called] = name
        let label = "HSIP vault \(name), key of a copy"
        let draft = ItemDraft(label: label, attributes: attributes, secret: text)
        _ = try items.service.create(draft, in: items.collection)
    }

    /// What finds the item of a vault.
    static func query(_ vaultID: [UInt8]) -> [String: String] {
        [ItemNames.schema: ItemNames.rootKeySchema, ItemNames.copied: Hex.encode(vaultID)]
    }
}
