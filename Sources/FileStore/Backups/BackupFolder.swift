internal import Files
internal import Glibc
package import RecordStore

/// A folder with the backups of a vault, among other files.
package struct BackupFolder: Sendable {
    /// The most names that are read; further ones are neither read nor removed.
    static let maximum = 1_000

    /// The absolute path of the folder.
    package let path: String
    /// The vault's part of the names.
    package let label: String

    /// - Throws: `notFound` if the folder does not exist; `unsafeFile` if the path is not a folder.
    package init(_ path: String, label: String) throws(StoreError) {
        guard let facts = FileFacts(at: path, followsLinks: true) else { throw SystemCall.failure }
        guard facts.isFolder else { throw .wrongKind(path) }
        self.path = path
        self.label = label
    }

    /// The path of a backup before it has its final name.
    var draft: String { "\(path)/\(label).hsipbackup" }

    private var names: [String] {
        get throws(StoreError) {
            guard let names = Folder.names(in: path) else { throw SystemCall.failure }
            return names
        }
    }

    /// The backups named for this vault and epoch whose heads confirm it, the newest by name first.
    func copies(
        of vaultID: [UInt8],
        _ epoch: UInt32,
        where isWanted: (BackupName) -> Bool = { _ in true }
    ) throws(StoreError) -> [BackupCopy] {
        var names = try names.compactMap { BackupName($0) }
        names = names.filter { $0.label == label && $0.epoch == epoch && isWanted($0) }
        names.sort { ($0.generation, $0.time) > ($1.generation, $1.time) }
        return names.prefix(Self.maximum).compactMap { BackupCopy($0.text, in: path, label: label) }
            .filter { $0.head.vaultID == vaultID && $0.head.epoch == epoch }
    }

    /// The backups of this vault from before its key changed, the oldest first.
    package func copies(of vaultID: [UInt8], before epoch: UInt32) throws(StoreError) -> [BackupCopy] {
        let names = try names.compactMap { BackupName($0) }
            .filter { $0.label == label && $0.epoch < epoch }
            .sorted { ($0.epoch, $0.generation, $0.time) < ($1.epoch, $1.generation, $1.time) }
        return names.prefix(Self.maximum).compactMap { BackupCopy($0.text, in: path, label: label) }
            .filter { $0.head.vaultID == vaultID && $0.head.epoch == $0.name.epoch }
    }

    /// The first free name at or after a time; two backups of one second differ by their time.
    func freeName(_ position: Position, at time: Int64) throws(StoreError) -> BackupName {
        var time = time
        while true {
            let name = BackupName(
                label: label,
                time: time,
                epoch: position.epoch,
                generation: position.generation
            )
            guard try FileFacts("\(path)/\(name.text)") != nil else { return name }
            time += 1
        }
    }

    /// Renames a draft to its final name, and reads its facts there.
    func place(
        _ copy: consuming CopyFile,
        _ head: HeadRow,
        _ position: Position,
        at time: Int64
    ) throws(StoreError) -> BackupCopy {
        let name = try freeName(position, at: time)
        let target = "\(path)/\(name.text)"
        try copy.finish(at: target)
        guard let facts = try FileFacts(target) else { throw .notFound }
        let modified = try FileFacts.modified(target)
        return BackupCopy(path: target, name: name, facts: facts, modified: modified, head: head)
    }

    /// Removes backups that are unchanged since they were read, and syncs the folder.
    ///
    /// - Returns: the removed backups; a backup that cannot be removed stays.
    package func remove(_ copies: [BackupCopy]) throws(StoreError) -> [BackupCopy] {
        let gone = copies.filter { copy in unsafe copy.isStillThere && unlink(copy.path) == 0 }
        if !gone.isEmpty { try Folder.sync(path, or: StoreError.self) }
        return gone
    }
}

extension BackupFolder {
    /// The backups under the same key as a new one, the newest by name first; their heads are not
    /// authenticated.
    package func copies(beside made: MadeBackup) throws(StoreError) -> [BackupCopy] {
        try copies(of: made.copy.head.vaultID, made.copy.head.epoch)
    }

    /// Removes surplus backups that were read completely, after a new one was read completely.
    ///
    /// - Parameters:
    ///   - whole: the backups, each with its newest commit; a backup whose name says another commit is left
    ///     alone.
    ///   - made: the new backup; if it was not read whole, nothing is removed.
    ///   - retention: the rule for the backups to keep.
    /// - Returns: the removed backups, and the remaining ones.
    /// - Throws: `io` if the folder cannot be synced.
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

    /// Like `thin`, for backups whose names and heads were compared.
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
