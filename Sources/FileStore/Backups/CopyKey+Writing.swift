internal import Files
package import RecordStore
package import VaultCrypto

extension CopyKey {
    /// Bytes of a body that is read once; a longer one has a page of its own in the keyring.
    private static let longestKept = 8 << 10

    /// What is copied, at which place in its history.
    package struct Source {
        package let reader: any RecordReader
        let vaultID: [UInt8]
        let position: Position

        package init(_ reader: any RecordReader, of vaultID: [UInt8], at position: Position) {
            (self.reader, self.vaultID, self.position) = (reader, vaultID, position)
        }
    }

    /// Writes the records of a view into one vault file of mode 0600, and reads the file whole before it gets its name.
    ///
    /// - Parameters:
    ///   - source: The vault; of a key epoch other than that of this key, the file says that of the key.
    ///   - path: Where it goes; any folder will do.
    ///   - replaces: Whether a file of that name is replaced.
    ///   - entropy: Where nonces come from.
    /// - Returns: What was verified.
    /// - Throws: `alreadyExists`; `newerRecord`, `tampered` for a vault that cannot be read whole: then there is no copy;
    ///   `diskFull`, `io`.
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

    /// Puts a copy into a folder, and reads it whole; nothing is written where there is one with the same records.
    ///
    /// - Parameters:
    ///   - source: The vault.
    ///   - folder: Where the copies of this vault lie.
    ///   - time: Unix seconds, for the name.
    ///   - entropy: Where nonces come from.
    /// - Returns: The copy, read whole now, new or found.
    /// - Throws: As above.
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

    /// Removes what is not to be kept of the copies in a folder, after one was read whole: the copies of this key.
    ///
    /// - Parameters:
    ///   - folder: Where the copies of this vault lie.
    ///   - vaultID: The vault.
    ///   - made: The newest copy there; one that was not read whole lets nothing go.
    ///   - retention: Which copies stay.
    ///   - isKnown: Whether a copy is remembered as read whole.
    /// - Returns: The copies that are gone, and those read whole that are left.
    /// - Throws: `io` where the folder cannot be read.
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

    /// Whether a folder has a copy under this key that is whole; each is read now.
    package func hasWholeCopy(in folder: BackupFolder, of vaultID: [UInt8]) throws(StoreError) -> Bool {
        try CopyInspector(sealer(vaultID, .system)).hasWholeCopy(in: folder)
    }

    /// A whole copy of the same commit with the same records; nil where there is none.
    ///
    /// The records are compared and not the number of the commit alone: of a keyring that was cloned two may have the same.
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

    /// Writes a vault file with every record of the source as it is there.
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
        // A keyring keeps records in pages, in their order: read in the order of the rows, a page would come again and again.
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

    /// What opens and seals records under this key.
    func sealer(_ vaultID: [UInt8], _ entropy: Entropy) throws(StoreError) -> Sealer {
        try Sealer(keys: keys, vaultID: vaultID, epoch: epoch, entropy: entropy, now: { 0 })
    }
}
