internal import Files
package import RecordStore
package import VaultCrypto

extension CopyKey {
    /// The most bytes of a body that is read only once; a longer one has its own page in the keyring.
    private static let longestKept = 8 << 10

    /// The vault to back up, at a position of its history.
    package struct Source {
        package let reader: any RecordReader
        let vaultID: [UInt8]
        let position: Position

        package init(_ reader: any RecordReader, of vaultID: [UInt8], at position: Position) {
            (self.reader, self.vaultID, self.position) = (reader, vaultID, position)
        }
    }

    /// Writes all records of a vault into a vault file of mode 0600, and reads it back before it gets its
    /// name.
    ///
    /// - Parameters:
    ///   - source: The vault; the file gets the key epoch of this key.
    ///   - path: The path of the file, in any folder.
    ///   - replaces: Whether to replace an existing file.
    ///   - entropy: The source of nonces.
    /// - Returns: The result of the verification.
    /// - Throws: `alreadyExists`; `newerRecord`, `tampered` for a vault that cannot be read whole, and then
    ///   there is no backup; `diskFull`, `io`.
    package func backUp(
        _ source: Source,
        to path: String,
        replaces: Bool = false,
        entropy: Entropy
    ) throws(StoreError) -> VerifyReport {
        let copy = try CopyFile.begin(beside: path, entropy)
        let sealer = try sealer(source, entropy)
        try fill(copy.draft, source, entropy)
        let report = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            try FileStore.verify(rows, sealer)
        }
        try copy.finish(at: path, replaces: replaces)
        return report
    }

    /// Writes a backup into a folder and reads it back; writes nothing if a backup there has the same
    /// records.
    ///
    /// - Parameters:
    ///   - source: The vault.
    ///   - folder: The folder of this vault's backups.
    ///   - time: Unix seconds, for the name.
    ///   - entropy: The source of nonces.
    /// - Returns: The backup, read whole now, new or found.
    /// - Throws: the errors of `backUp(_:to:replaces:entropy:)`.
    package func backUp(
        _ source: Source,
        into folder: BackupFolder,
        at time: Int64,
        entropy: Entropy
    ) throws(StoreError) -> MadeBackup {
        let sealer = try sealer(source, entropy)
        if let present = try unchanged(source, in: folder, sealer) { return present }
        let copy = try CopyFile.begin(beside: folder.draft, entropy)
        try fill(copy.draft, source, entropy)
        return try CopyInspector(sealer).place(copy, in: folder, at: time)
    }

    /// Removes surplus backups of this key from a folder, after one was read whole.
    ///
    /// - Parameters:
    ///   - folder: The folder of this vault's backups.
    ///   - vaultID: The id of the vault.
    ///   - made: The newest backup; if it was not read whole, nothing is removed.
    ///   - retention: The rule for the backups to keep.
    ///   - isKnown: Whether a backup is remembered as read whole.
    /// - Returns: The removed backups, and the remaining ones that were read whole.
    /// - Throws: `io` if the folder cannot be read.
    package func thin(
        _ folder: BackupFolder,
        of vaultID: [UInt8],
        after made: MadeBackup,
        keeping retention: Retention,
        isKnown: (BackupCopy) -> Bool
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        try CopyInspector(sealer(vaultID, .system))
            .thin(folder, after: made, keeping: retention, isKnown: isKnown)
    }

    /// Whether a folder has a whole backup under this key; reads each one.
    package func hasWholeCopy(in folder: BackupFolder, of vaultID: [UInt8]) throws(StoreError) -> Bool {
        try CopyInspector(sealer(vaultID, .system)).hasWholeCopy(in: folder)
    }

    /// A whole backup of the same commit with the same records; nil if there is none.
    ///
    /// The records are compared, because two clones of a keyring may have the same commit number.
    private func unchanged(
        _ source: Source,
        in folder: BackupFolder,
        _ sealer: Sealer
    ) throws(StoreError) -> MadeBackup? {
        let candidates = try folder.copies(of: source.vaultID, epoch) {
            $0.generation == source.position.generation
        }
        let inspector = CopyInspector(sealer)
        for copy in candidates {
            guard let report = inspector.inspect(copy), report.damaged.isEmpty,
                report.generation == source.position.generation,
                try isSame(copy, source, inspector)
            else { continue }
            return CopyInspector.made(copy, report, isNew: false)
        }
        return nil
    }

    private func isSame(
        _ copy: BackupCopy,
        _ source: Source,
        _ inspector: CopyInspector
    ) throws(StoreError) -> Bool {
        try Connection(copy.path, .immutable).read { rows throws(StoreError) in
            let reader = try inspector.reader
            let old = SealedReader(reader, rows, try reader.observe(rows.head()))
            return try source.reader.firstDifference(from: old) == nil
        }
    }

    /// Writes a vault file with all records of the source unchanged.
    private func fill(_ draft: String, _ source: Source, _ entropy: Entropy) throws(StoreError) {
        var adoption = try Adoption(
            keys: keys,
            vaultID: source.vaultID,
            position: Position(epoch: epoch, generation: source.position.generation),
            floor: source.reader.floor,
            slots: slots,
            entropy: entropy
        )
        let infos = try source.reader.list(nil)
        let order = try adoption.order(infos)
        // A keyring keeps records in pages, in their own order; reading in the order of the rows would fetch
        // pages repeatedly.
        var small: [RecordID: Record] = [:]
        for info in infos {
            guard let record = try source.reader.find(info.id), record.info == info else { throw .conflict }
            if record.body.count <= Self.longestKept { small[info.id] = record }
        }
        try Creation.write(draft) { rows throws(StoreError) in
            for info in order {
                let known = small[info.id]
                let found = if let known { known } else { try source.reader.find(info.id) }
                guard let record = found, record.info == info else { throw .conflict }
                try rows.insert(adoption.seal(record))
            }
            try rows.create(adoption.finish(), slots)
        }
    }

    private func sealer(_ source: Source, _ entropy: Entropy) throws(StoreError) -> Sealer {
        try sealer(source.vaultID, entropy)
    }

    /// The sealer of records under this key.
    func sealer(_ vaultID: [UInt8], _ entropy: Entropy) throws(StoreError) -> Sealer {
        try Sealer(keys: keys, vaultID: vaultID, epoch: epoch, entropy: entropy, now: { 0 })
    }
}
