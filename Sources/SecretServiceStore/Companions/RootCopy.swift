internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// A sealed copy of the root beside the anchor (Schemas/keyring-vault.md section 6).
///
/// Any program can replace or remove the item of the root, and without the root the vault is unreadable.
///
/// Format: `HSIPROOT`, 1, and a blob of the vault file's kind. The sealing key is derived from the key in the
/// root; an item of the keyring keeps it in case the root is lost. A missing, cut or old copy does no harm.
struct RootCopy: Sendable {
    private static let magic = Array("HSIPROOT".utf8) + [1]
    private static let overhead = magic.count + Envelope.openingSize

    let path: String
    let vaultID: [UInt8]

    /// True if the file of the copy exists, readable or not.
    var isThere: Bool { (try? PathChecks.file(path)) == true }

    /// Replaces the copy; the old one stays until the new one is whole.
    ///
    /// The copy is not synced: after a lost update it is older than the anchor, and is refused.
    func write(_ text: Secret, _ key: Secret, _ entropy: Entropy) throws(StoreError) {
        let (opening, sealed) = try Envelope.seal(
            text,
            key: key,
            authenticating: context,
            entropy: entropy
        )
        try PathChecks.makeFolder(Folder.parent(of: path))
        let name = path + ".new"
        unsafe unlink(name)
        let draft = AtomicFile(name, try LocalFile(name, O_WRONLY | O_CREAT | O_EXCL))
        try draft.file.write(Self.magic + opening + sealed, at: 0)
        try draft.place(at: path, replaces: true)
    }

    /// The content of the copy; nil if it is missing, or this key does not open it.
    ///
    /// - Throws: `unsafeFile`; `outOfMemory`; the errors of the system.
    func read(_ key: Secret) throws(StoreError) -> Secret? {
        guard try PathChecks.file(path),
            let bytes = try LocalFile(path, O_RDONLY).contents(limit: Self.overhead + LargeItems.longest),
            bytes.count >= Self.overhead, bytes.starts(with: Self.magic)
        else { return nil }
        let blob = Array(bytes.dropFirst(Self.magic.count))
        guard let text = try Envelope.open(blob, key: key, authenticating: context) else { return nil }
        return Secret(text)
    }

    /// Removes the copy, if there is one.
    func remove() { unsafe unlink(path) }

    private var context: [UInt8] { Self.magic + vaultID }
}

/// The key of the root's copy, in an item of its own (Schemas/keyring-vault.md section 1).
///
/// The item lacks the attributes that find the vault's items, so a program that replaces those items does not touch it.
struct RootKey: Sendable {
    /// The name of the vault.
    let name: String
    /// The collection of the root.
    let collection: ItemPath
    let key: Secret

    /// Finds the items that may contain the key of a vault, in the order of their paths.
    ///
    /// Any program can add or overwrite such an item.
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

    /// The attributes that find the item for a vault.
    static func query(_ vaultID: [UInt8]) -> [String: String] {
        [ItemNames.schema: ItemNames.rootKeySchema, ItemNames.copied: Hex.encode(vaultID)]
    }
}
