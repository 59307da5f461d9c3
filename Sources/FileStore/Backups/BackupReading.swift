internal import Files
package import RecordStore
internal import VaultCrypto

/// A backup at any path, opened with its own key slots and read completely; nothing is written.
package struct BackupReading {
    /// The id of the backed-up vault: 16 bytes, public.
    package let vaultID: [UInt8]
    /// When the file was last written, Unix seconds.
    package let modified: Int64
    private let path: String

    /// Reads the head of a file.
    ///
    /// - Throws: `readOnlyWithLog` for a file with a log beside it, which is a vault; `notFound`; `unsafeFile` for
    ///   anything but an ordinary file; `notAVault`, `newerFormat`, `schemaTampered`, `tampered`, `corrupt`; `io`.
    package init(_ path: String) throws(StoreError) {
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFile else { throw .unsafeFile(path: path, .wrongType) }
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        self.path = path
        modified = try FileFacts.modified(path) / 1_000_000_000
        vaultID = try Connection(path, .immutable).read { rows throws(StoreError) in try rows.head().vaultID }
    }

    /// A backup that a secret has opened.
    package struct Opened: Sendable {
        /// The result of the verification.
        package let report: VerifyReport
        /// The key and slots of the backup, for a copy of the vault that it is about to replace.
        package let key: CopyKey
        fileprivate let path: String
        fileprivate let vaultID: [UInt8]
    }

    /// Opens the backup with its own secret, and reads everything in it.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`, `kdfOutOfBounds`; `tampered`, `corrupt`.
    package func verify(_ unlock: Unlock) throws(StoreError) -> VerifyReport { try open(unlock).report }

    /// Like `verify`, for a caller that reads the records again.
    package func open(_ unlock: Unlock) throws(StoreError) -> Opened {
        let copy = try OpenedCopy(path, by: unlock, entropy: .system, now: { 0 })
        return Opened(report: copy.report, key: copy.key, path: path, vaultID: copy.sealer.vaultID)
    }
}

extension BackupReading.Opened {
    /// Passes the records to `body`.
    ///
    /// - Throws: `conflict` if another file than the verified one has the path; what `body` throws.
    package func read<R>(
        _ body: (any RecordReader) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let sealer = try key.sealer(vaultID, .system)
        return try Connection(path, .immutable).read { rows throws(StoreError) in
            let row = try rows.head()
            guard row.tag == report.headTag else { throw .conflict }
            return try body(SealedReader(sealer, rows, try sealer.observe(row)))
        }
    }
}

/// A copy of a vault, opened with its own secret.
package struct OpenedCopy {
    /// The result of the verification.
    package let report: VerifyReport
    let sealer: Sealer
    /// The key and slots of the backup, for a copy of the vault that it is about to replace.
    let key: CopyKey

    /// Opens a file that no process writes to by one of the file's key slots, and reads everything; nothing is written.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`, `kdfOutOfBounds`; `notAVault`, `newerFormat`, `schemaTampered`,
    ///   `tampered`, `corrupt`; `io`.
    init(
        _ path: String,
        by unlock: Unlock,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) {
        let connection = try Connection(path, .immutable)
        let (head, slots) = try connection.read { rows throws(StoreError) in
            (try rows.head(), try rows.slots())
        }
        let opened = try slots.unwrap(unlock, vaultID: head.vaultID, epoch: head.epoch)
        let vaultKey: SecretBytes
        do { vaultKey = try SecretBytes(copying: opened.vaultKey) } catch { throw StoreError(error) }
        key = try CopyKey(vaultKey, slots, epoch: head.epoch)
        let sealer = try Sealer(
            keys: key.keys,
            vaultID: head.vaultID,
            epoch: head.epoch,
            entropy: entropy,
            now: now
        )
        report = try connection.read { rows throws(StoreError) in try FileStore.verify(rows, sealer) }
        self.sealer = sealer
    }
}
