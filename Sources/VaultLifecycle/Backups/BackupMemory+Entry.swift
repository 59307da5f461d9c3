package import FileStore
internal import Files
internal import RecordStore
internal import Text
internal import VaultCrypto

extension BackupMemory.Entry {
    /// Describes a copy, as it was read.
    package init(
        _ copy: BackupCopy,
        _ check: BackupCheck,
        _ generation: UInt64,
        at time: Int64,
        isOnSameDisk: Bool
    ) {
        self.init(
            path: copy.path,
            at: time,
            check: check,
            epoch: copy.name.epoch,
            generation: generation,
            tag: copy.tag,
            size: copy.facts.size,
            modified: copy.modified,
            isOnSameDisk: isOnSameDisk
        )
    }

    /// Describes a backup of any name, as it was read; nil if it no longer exists.
    init?(
        _ path: String,
        _ check: BackupCheck,
        _ position: Position,
        _ tag: [UInt8],
        at time: Int64,
        isOnSameDisk: Bool
    ) {
        guard let facts = try? FileFacts(path), let modified = try? FileFacts.modified(path)
        else { return nil }
        self.init(
            path: path,
            at: time,
            check: check,
            epoch: position.epoch,
            generation: position.generation,
            tag: tag,
            size: facts.size,
            modified: modified,
            isOnSameDisk: isOnSameDisk
        )
    }

    /// Reads an entry; nil for anything else.
    init?(_ tree: JSONValue) {
        guard let path = tree["path"]?.text, path.hasPrefix("/"),
            let at = tree["at"]?.text.flatMap({ Times.parse($0) }),
            let check = tree["check"]?.text.flatMap({ BackupCheck(rawValue: $0) }),
            let epoch = tree["keyEpoch"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let generation = tree["generation"]?.integer.flatMap({ UInt64(exactly: $0) }),
            let tag = tree["headTag"]?.text.flatMap({ Hex.decode($0) }),
            let size = tree["size"]?.integer,
            let modified = tree["modified"]?.integer
        else { return nil }
        self.init(
            path: path,
            at: at,
            check: check,
            epoch: epoch,
            generation: generation,
            tag: tag,
            size: Int64(size),
            modified: Int64(modified),
            isOnSameDisk: tree["sameDisk"] == .bool(true)
        )
    }

    var json: JSONValue {
        [
            "path": .text(path), "at": .time(at), "check": .text(check.rawValue),
            "keyEpoch": .integer(Int64(epoch)), "generation": .integer(Int64(clamping: generation)),
            "headTag": .text(Hex.encode(tag)), "size": .integer(size), "modified": .integer(modified),
            "sameDisk": .bool(isOnSameDisk),
        ]
    }
}
