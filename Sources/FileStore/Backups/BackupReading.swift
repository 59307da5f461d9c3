internal import LocalState
package import RecordStore
internal import VaultCrypto

/// A backup, wherever it lies, opened by its own key slots and read whole; nothing is written.
package struct BackupReading {
    /// 16 bytes, public: which vault it is a backup of.
    package let vaultID: [UInt8]
    /// When the file was last written, Unix seconds.
    package let modified: Int64
    private let path: String

    /// Looks at a file.
    ///
    /// - Throws: `readOnlyWithLog` for a file with a log beside it, which is a vault; `notFound`; `unsafeFile` for what is
    ///   no ordinary file; `notAVault`, `newerFormat`, `schemaTampered`, `tampered`, `corrupt`; `io`.
    package init(_ path: String) throws(StoreError) {
        guard let facts = try FileFacts(path) else { throw .notFound }
        guard facts.isFile else { throw .unsafeFile(path: path, .wrongType) }
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        self.path = path
        modified = try FileFacts.modified(path) / 1_000_000_000
        vaultID = try Connection(path, .immutable).read { rows throws(StoreError) in try rows.head().vaultID }
    }

    /// Opens it with a secret of its own, and reads everything in it.
    ///
    /// - Throws: `wrongSecret`, `noSuchSlot`, `kdfOutOfBounds`; `tampered`, `corrupt`.
    package func verify(_ unlock: Unlock) throws(StoreError) -> VerifyReport {
        let connection = try Connection(path, .immutable)
        let (head, slots) = try connection.read { rows throws(StoreError) in
            (try rows.head(), try rows.slots())
        }
        let opened = try slots.unwrap(unlock, vaultID: head.vaultID, epoch: head.epoch)
        let sealer = try Sealer(
            keys: try VaultKeys(vaultKey: opened.vaultKey),
            vaultID: head.vaultID,
            epoch: head.epoch,
            entropy: .system,
            now: { 0 }
        )
        return try connection.read { rows throws(StoreError) in try FileStore.verify(rows, sealer) }
    }
}
