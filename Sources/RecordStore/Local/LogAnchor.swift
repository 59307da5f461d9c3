internal import Files
internal import Glibc
internal import VaultCrypto

/// The newest head of a log that this machine has accepted, in a file beside the vault's anchor.
///
/// A restore of the vault does not change the file. So it shows if a restored vault gets an old copy of the log
/// (Schemas/carriers.md section 3).
///
/// `HSIP-LOG-1 <log id> <epoch, 10> <n, 20> <hash, 64 hex>`, blanks, a line feed at byte 159. Raised under a lock of the
/// file after each commit and only upwards; it is not synced, since a lost update never raises a false alarm.
package struct LogAnchor: Sendable {
    /// The content of the file.
    package struct Head: Equatable, Sendable {
        /// The number of the epoch key.
        package let epoch: UInt32
        /// The position of the entry.
        package let place: UInt64
        /// The hash of the entry, 32 bytes.
        package let hash: [UInt8]

        package init(epoch: UInt32, place: UInt64, hash: [UInt8]) {
            (self.epoch, self.place, self.hash) = (epoch, place, hash)
        }
    }

    /// Bytes of the file.
    package static let size = 160
    private static let magic = "HSIP-LOG-1"

    package let path: String
    private let logID: String

    /// The anchor of a log in a folder, whether it exists or not; `logID` has 16 bytes.
    package init(folder: String, logID: [UInt8]) {
        self.logID = Hex.encode(logID)
        path = "\(folder)/log-\(self.logID)"
    }

    /// The newest head; nil if the file is missing, malformed or of another log.
    ///
    /// - Throws: `unsafeFile` if another user could have written the file; `busy`.
    package func read() throws(StoreError) -> Head? {
        guard try PathChecks.file(path) else { return nil }
        let file = try LocalFile(path, O_RDONLY)
        try file.lock(.shared)
        return try head(in: file)
    }

    /// Raises the anchor to an accepted head; an equal or higher anchor stays.
    ///
    /// - Throws: `unsafeFile`; `diskFull`; `busy`; `fork` if another entry at that position was accepted before.
    package func raise(to head: Head) throws(StoreError) {
        let file = try PathChecks.lockedFile(path)
        if let present = try self.head(in: file) {
            guard present.place != head.place || present.hash == head.hash else { throw .fork }
            guard present.place < head.place else { return }
        } else {
            try file.cut()
        }
        try file.write(encoded(head), at: 0)
    }

    /// Removes the anchor, because the machine has left the log or starts another.
    package func remove() throws(StoreError) {
        guard try PathChecks.file(path) else { return }
        try SystemCall.retry { unsafe unlink(path) }
    }

    private func head(in file: LocalFile) throws(StoreError) -> Head? {
        decoded(try file.read(upTo: Self.size + 1))
    }

    /// The 160 bytes, always of this size, so that one write replaces all.
    func encoded(_ head: Head) -> [UInt8] {
        let fields = [
            Self.magic, logID, Self.digits(UInt64(head.epoch), 10), Self.digits(head.place, 20),
            Hex.encode(head.hash),
        ]
        var bytes = Array(fields.joined(separator: " ").utf8)
        bytes.append(contentsOf: repeatElement(0x20, count: max(0, Self.size - 1 - bytes.count)))
        bytes.append(0x0A)
        return bytes
    }

    private func decoded(_ bytes: [UInt8]) -> Head? {
        guard bytes.count == Self.size else { return nil }
        let fields = bytes.dropLast().split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 5, fields[1] == logID, let epoch = UInt32(fields[2]),
            let place = UInt64(fields[3]), let hash = Hex.decode(fields[4]), hash.count == 32
        else { return nil }
        let head = Head(epoch: epoch, place: place, hash: hash)
        // Text with signs, other widths, capitals or other words would be encoded differently.
        return encoded(head) == bytes ? head : nil
    }

    private static func digits(_ number: UInt64, _ width: Int) -> String {
        let shown = String(number)
        return String(repeating: "0", count: max(0, width - shown.count)) + shown
    }
}

/// The folder for the data that a sync keeps outside the vault (Schemas/carriers.md section 3).
///
/// The folder contains a lock and git's copy of the remote. Its path is `hsip/log/<log id>/` in the user's state
/// folder.
package struct LogStateFolder: Sendable {
    package let path: String

    /// The files of a log in the user's state folder, whether they exist or not; `logID` has 16 bytes.
    package init(stateFolder: String, logID: [UInt8]) {
        path = "\(stateFolder)/hsip/log/\(Hex.encode(logID))"
    }

    /// The folder of git's copy of the remote; git makes it.
    package var gitFolder: String { "\(path)/git" }

    /// Creates missing folders, with access only for this user.
    ///
    /// - Throws: `unsafeFile` if another user could change a file or folder.
    package func make() throws(StoreError) {
        try PathChecks.makeFolder(path)
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFolder else { throw .unsafeFile(path: path, .wrongType) }
        guard facts.isOwn else { throw .unsafeFile(path: path, .owner(uid: facts.owner)) }
        guard !facts.isShared else { throw .unsafeFile(path: path, .mode(facts.mode)) }
    }

    /// Locks the files for one sync, until the value is released.
    ///
    /// - Throws: `busy` if another sync holds the lock for ten seconds.
    package func hold() throws(StoreError) -> SyncLock {
        SyncLock(file: try PathChecks.lockedFile("\(path)/lock"))
    }
}

/// The lock of one sync.
package struct SyncLock {
    fileprivate let file: LocalFile
}
