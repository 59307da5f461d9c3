internal import Files
internal import RecordStore
internal import VaultCrypto

/// A backup that helps a repair with its slots, the sums of its head, and its rows.
struct RepairBackup {
    /// The vault and key epoch of the backup.
    let vault: RepairVault
    /// Its key slots.
    let slots: Keyslots
    /// The path of the backup.
    let path: String
    private let connection: Connection

    /// Opens a backup for reading.
    ///
    /// - Throws: `readOnlyWithLog` for a file with a log beside it; `notFound`, `notAVault`, `corrupt` and other errors
    ///   of opening a vault file.
    init(_ path: String) throws(StoreError) {
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        self.path = path
        connection = try Connection(path, .immutable)
        (vault, slots) = try connection.read { rows throws(StoreError) in
            let head = try rows.head()
            return (RepairVault(id: head.vaultID, epoch: head.epoch), try rows.slots())
        }
    }

    /// Reads the whole backup, and returns its head.
    ///
    /// - Throws: `tampered`, `corrupt` if the backup is damaged itself.
    func head(_ sealer: Sealer) throws(StoreError) -> HeadContent {
        try connection.read { rows throws(StoreError) in
            _ = try FileStore.verify(rows, sealer)
            return try sealer.observe(rows.head())
        }
    }

    /// Passes every row of a lane to `visit`, with its body.
    func each(inLane lane: Int, _ visit: (SealedRow) throws(StoreError) -> Void) throws(StoreError) {
        try connection.read { rows throws(StoreError) in
            var ids: [RowID] = []
            try rows.eachSeal(inLane: lane) { id, _ throws(StoreError) in
                if let id = RowID(id) { ids.append(id) }
            }
            for id in ids {
                if let row = try rows.row(id, withBody: true) { try visit(row) }
            }
        }
    }

    /// One row of the backup; nil if the backup does not have it.
    func row(_ id: RowID) throws(StoreError) -> SealedRow? {
        try connection.read { rows throws(StoreError) in try rows.row(id, withBody: true) }
    }
}
