package import Files
internal import RecordStore

/// A file in a folder of backups that says it is one of this vault.
///
/// A head that its keys do not open proves nothing.
package struct BackupCopy {
    package let path: String
    package let name: BackupName
    /// The file as it was when it was looked at.
    package let facts: FileFacts
    /// When its bytes had last changed, in nanoseconds of Unix time.
    package let modified: Int64
    /// The tag of its head, which names a state of the vault.
    package let tag: [UInt8]
    let head: HeadRow

    /// Looks at a file by its name, without waiting for anybody at the other end of it.
    ///
    /// - Returns: nil for what has another name, is no ordinary file of this user's, has a log beside it, or is not of
    ///   the format; also where it cannot be read just now.
    init?(_ text: String, in folder: String, label: String) {
        guard let name = BackupName(text), name.label == label else { return nil }
        let path = "\(folder)/\(text)"
        guard let facts = Self.facts(path), let modified = try? FileFacts.modified(path),
            (try? FileFacts(path + "-wal")).map({ $0?.size ?? 0 == 0 }) ?? false,
            let head = try? Connection(path, .immutable).read({ rows throws(StoreError) in try rows.head() })
        else { return nil }
        self.init(path: path, name: name, facts: facts, modified: modified, head: head)
    }

    /// A copy that was just made.
    init(path: String, name: BackupName, facts: FileFacts, modified: Int64, head: HeadRow) {
        self.path = path
        self.name = name
        self.facts = facts
        self.modified = modified
        self.head = head
        tag = head.tag
    }

    /// Whether the file of this name is still the one that was looked at.
    var isStillThere: Bool { Self.facts(path).map { $0.identity == facts.identity } ?? false }

    private static func facts(_ path: String) -> FileFacts? {
        guard let facts = try? FileFacts(path), facts.isFile, facts.isOwn else { return nil }
        return facts
    }
}
