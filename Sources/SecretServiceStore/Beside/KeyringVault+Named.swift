package import RecordStore
internal import VaultCrypto

extension KeyringVault {
    /// Whether the service holds a vault of a name that is none of the known ones.
    ///
    /// Asked by exact attributes only: a locked keyring answers that, and hides the values themselves.
    package static func exists(
        named name: String,
        besides known: [[UInt8]],
        in service: any ItemService
    ) throws(StoreError) -> Bool {
        let found = try service.find([
            ItemNames.schema: ItemNames.headerSchema, ItemNames.name: name,
        ])
        var headers = Set(found.unlocked + found.locked)
        for id in known where !headers.isEmpty {
            let own = try service.find([
                ItemNames.schema: ItemNames.headerSchema, ItemNames.vault: Hex.encode(id),
            ])
            headers.subtract(own.unlocked + own.locked)
        }
        return !headers.isEmpty
    }
}
