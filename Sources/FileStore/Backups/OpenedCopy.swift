internal import RecordStore
internal import VaultCrypto

/// A copy of a vault that a secret of its own has opened.
package struct OpenedCopy {
    /// The result of the verification.
    package let report: VerifyReport
    let sealer: Sealer
    /// The key and slots of the backup, for a copy of the vault that it is about to replace.
    let key: CopyKey

    /// Opens a file that nothing writes to by one of its key slots, and reads everything in it; nothing is written.
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
