package import RecordStore
internal import VaultCrypto

/// A vault that was found in the Secret Service, before it is opened.
public struct KeyringVault: Equatable, Sendable {
    /// The vault's id: 16 bytes, public.
    public let vaultID: [UInt8]
    /// The name of the vault when it was made.
    public let name: String
    /// The D-Bus path of its collection.
    public let collection: String
    /// Whether the collection must be unlocked first.
    public let isLocked: Bool

    package init(vaultID: [UInt8], name: String, collection: String, isLocked: Bool) {
        self.vaultID = vaultID
        self.name = name
        self.collection = collection
        self.isLocked = isLocked
    }
}

extension KeyringVault {
    /// Whether the service has a vault of this name that is not a known vault.
    ///
    /// Searches only by exact attributes: a locked keyring answers such searches, but hides the attribute values.
    package static func exists(
        named name: String,
        besides known: [[UInt8]],
        in service: any ItemService
    ) throws(StoreError) -> Bool {
        let found = try service.find([
            ItemNames.schema: ItemNames.rootSchema, ItemNames.name: name,
        ])
        var headers = Set(found.unlocked + found.locked)
        for id in known where !headers.isEmpty {
            let own = try service.find([
                ItemNames.schema: ItemNames.rootSchema, ItemNames.vault: Hex.encode(id),
            ])
            headers.subtract(own.unlocked + own.locked)
        }
        return !headers.isEmpty
    }

    /// The number of records and notes of a vault in the service, whether its header exists or not.
    package static func remains(
        of vaultID: [UInt8],
        in service: any ItemService
    ) throws(StoreError) -> Int {
        var count = 0
        for schema in ItemNames.all.dropFirst() {
            let found = try service.find([ItemNames.schema: schema, ItemNames.vault: Hex.encode(vaultID)])
            count += found.unlocked.count + found.locked.count
        }
        return count
    }
}
