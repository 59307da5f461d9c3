internal import RecordStore
internal import Secrets

extension Vault {
    /// The items as of a snapshot: the items in memory, or read again if another commit came between.
    func loadedItems(_ reader: any RecordReader) throws -> LoadedItems {
        if let loaded = items.loaded, loaded.generation == reader.generation { return loaded }
        // The old items are released first, because both together would need twice the memory.
        items.loaded = nil
        let loaded = try LoadedItems(reader)
        items.loaded = loaded
        items.dropStorers()
        return loaded
    }

    /// The present items.
    func loadedItems() throws(VaultError) -> LoadedItems {
        try reading { reader in try loadedItems(reader) }
    }

    /// Updates the items in memory after a commit of this vault, if they were up to date before it.
    ///
    /// The written records are read back, because the store sets their times. If that fails, the next access
    /// reads all records.
    func keepItems(over changes: ChangeSet, at revision: Revision) {
        guard items.loaded?.generation == revision - 1 else { return }
        let touched = changes.changes.map(\.id).filter {
            [ItemRecord.kind, CollectionRecord.kind].contains($0.kind.rawValue)
        }
        guard !touched.isEmpty else {
            items.loaded?.generation = revision
            return
        }
        let infos: [RecordInfo?]?
        do throws(StoreError) {
            infos = try store.read { (reader) throws(StoreError) in
                guard reader.generation == revision else { return nil }
                var infos: [RecordInfo?] = []
                for id in touched { infos.append(try reader.info(id)) }
                return infos
            }
        } catch {
            infos = nil
        }
        guard let infos else {
            items.loaded = nil
            return
        }
        for (id, info) in zip(touched, infos) { items.loaded?.take(id, info) }
        items.loaded?.generation = revision
    }
}
