package import RecordStore

extension BackupFolder {
    /// The copies under the key of a copy that was just made, the newest by name first; their heads are not opened.
    package func copies(beside made: MadeBackup) throws(StoreError) -> [BackupCopy] {
        try copies(of: made.copy.head.vaultID, made.copy.head.epoch)
    }

    /// Removes what is not to be kept of copies that were read whole, after one of them was read just now.
    ///
    /// - Parameters:
    ///   - whole: the copies, each with the newest commit in it; those whose names say another one are left alone.
    ///   - made: the newest copy; one that was not read whole lets nothing go.
    ///   - retention: which copies stay.
    /// - Returns: the copies that are gone, and those that are left.
    /// - Throws: `io` where the folder cannot be read.
    package func thin(
        _ whole: [(copy: BackupCopy, generation: UInt64)],
        after made: MadeBackup,
        keeping retention: Retention
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        let named = whole.filter { [$0.generation, 0].contains($0.copy.name.generation) }
        return try thin(
            named.map { copy, generation in
                (copy, Retention.Entry(name: copy.name, tag: copy.tag, generation: generation))
            },
            after: made,
            keeping: retention
        )
    }

    /// The same, where name and head were compared.
    func thin(
        _ whole: [(copy: BackupCopy, entry: Retention.Entry)],
        after made: MadeBackup,
        keeping retention: Retention
    ) throws(StoreError) -> (removed: [BackupCopy], left: [BackupCopy]) {
        guard made.check == .full else { return ([], []) }
        let surplus = retention.surplus(of: whole.map(\.entry), besides: made.copy.tag)
        let going = whole.filter { surplus.contains($0.entry) }.map(\.copy)
        let removed = try remove(going)
        let gone = Set(removed.map(\.path))
        return (removed, whole.map(\.copy).filter { !gone.contains($0.path) })
    }
}
