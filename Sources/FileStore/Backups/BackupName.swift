package import Files
internal import RecordStore
internal import Text

/// The name of a backup in a folder of backups: `vault-20261122T180400Z-1.126.hsipbackup`.
///
/// A name only orders the search and proves nothing; only the head of the file is proof.
package struct BackupName: Equatable, Sendable {
    private static let ending = ".hsipbackup"
    /// The most bytes of the vault's part, so that the name is below the limit of 255 bytes of every file system.
    private static let longestLabel = 120

    /// The vault's part, by which a person recognizes the vault.
    package let label: String
    /// When the backup was made, Unix seconds.
    package let time: Int64
    /// The key epoch of the backup.
    package let epoch: UInt32
    /// The newest commit in the backup; 0 if no key was available to read it.
    package let generation: UInt64

    package init(label: String, time: Int64, epoch: UInt32, generation: UInt64) {
        self.label = label
        self.time = time
        self.epoch = epoch
        self.generation = generation
    }

    /// Reads a name; nil if this program would spell the name differently.
    package init?(_ text: String) {
        guard text.hasSuffix(Self.ending) else { return nil }
        let parts = text.dropLast(Self.ending.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let place = parts.last?.split(separator: "."), place.count == 2,
            let epoch = UInt32(place[0]), let generation = UInt64(place[1]), epoch > 0,
            let time = Self.time(parts[parts.count - 2])
        else { return nil }
        let label = parts.dropLast(2).joined(separator: "-")
        self.init(label: label, time: time, epoch: epoch, generation: generation)
        guard !label.isEmpty, self.text == text else { return nil }
    }

    /// The name of the file.
    package var text: String {
        "\(label)-\(Times.rfc3339(time).filter { !"-:".contains($0) })-\(epoch).\(generation)\(Self.ending)"
    }

    /// The year and month of the backup: `202611`.
    var month: String { String(Times.rfc3339(time).filter { $0 != "-" }.prefix(6)) }

    /// The part of a vault's name or path that goes into the names of its backups.
    package static func label(of vault: String) -> String {
        let name = vault.split(separator: "/").last.map(String.init) ?? vault
        let stem = name.hasSuffix(".hsipvault") ? String(name.dropLast(".hsipvault".count)) : name
        let plain = stem.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/" ? "_" : String(scalar)
        }
        var label = ""
        for character in plain where label.utf8.count + character.utf8.count <= longestLabel {
            label += character
        }
        return label.isEmpty || label.hasPrefix(".") ? "vault\(label)" : label
    }

    /// `20261122T180400Z`; nil for anything else.
    private static func time(_ text: Substring) -> Int64? {
        let digits = Array(text)
        guard digits.count == 16 else { return nil }
        let date = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
        let hour = "\(String(digits[8..<11])):\(String(digits[11..<13])):\(String(digits[13..<16]))"
        return Times.parse(date + hour)
    }
}

/// A file in a folder of backups whose name and head say that it is a backup of this vault.
///
/// A head proves nothing until the keys have opened it.
package struct BackupCopy {
    package let path: String
    package let name: BackupName
    /// The facts of the file when it was read.
    package let facts: FileFacts
    /// When the bytes of the file last changed, in nanoseconds of Unix time.
    package let modified: Int64
    /// The tag of the file's head, unique for each state of the vault.
    package let tag: [UInt8]
    let head: HeadRow

    /// Reads a file by its name; never waits, even if the file is a pipe.
    ///
    /// - Returns: nil if the name differs, if the file is not an ordinary file of this user, has a log beside it or
    ///   another format, or if it cannot be read now.
    init?(_ text: String, in folder: String, label: String) {
        guard let name = BackupName(text), name.label == label else { return nil }
        let path = "\(folder)/\(text)"
        guard let facts = Self.facts(path), let modified = try? FileFacts.modified(path),
            (try? FileFacts(path + "-wal")).map({ $0?.size ?? 0 == 0 }) ?? false,
            let head = try? Connection(path, .immutable).read({ rows throws(StoreError) in try rows.head() })
        else { return nil }
        self.init(path: path, name: name, facts: facts, modified: modified, head: head)
    }

    /// A backup that was just written.
    init(path: String, name: BackupName, facts: FileFacts, modified: Int64, head: HeadRow) {
        self.path = path
        self.name = name
        self.facts = facts
        self.modified = modified
        self.head = head
        tag = head.tag
    }

    /// Whether the file at this path is still the file that was read.
    var isStillThere: Bool { Self.facts(path).map { $0.identity == facts.identity } ?? false }

    private static func facts(_ path: String) -> FileFacts? {
        guard let facts = try? FileFacts(path), facts.isFile, facts.isOwn else { return nil }
        return facts
    }
}
