package import FileStore
package import RecordStore
package import SecretServiceStore
internal import VaultCrypto

/// The repair of a damaged vault in the keyring: its records are written to a new vault file.
///
/// The keyring is only read, and the new file replaces no vault: `KeyringRestore` does that.
package struct KeyringRepair {
    /// The absolute path of the new vault; nil if nothing is to be written.
    package let target: String?
    /// What was found.
    package let salvage: KeyringSalvage
    /// The key of the backups, which the new vault has, too; nil if it is lost or there was none.
    package let key: CopyKey?

    /// Reads what the keyring still has of the vault.
    ///
    /// - Parameters:
    ///   - record: The record of the vault, which is in the keyring.
    ///   - locator: Names the vault.
    ///   - output: The path of the new vault; nil if nothing is to be written.
    ///   - patience: How the keyring is waited for.
    /// - Throws: `VaultRepair.Refusal.strayLog`; `alreadyExists`; what `KeyringSalvage.read` throws.
    package init(
        of record: VaultRecord,
        at locator: VaultLocator,
        into output: String?,
        _ patience: Patience
    ) throws {
        target = try output.map { try AbsolutePath.of($0) }
        if let target {
            guard !Path.exists(target) else { throw StoreError.alreadyExists }
            if let stray = ["-wal", "-journal"].map({ target + $0 }).first(where: Path.exists) {
                throw VaultRepair.Refusal.strayLog(path: stray)
            }
        }
        salvage = try KeyringSalvage.read(
            vaultID: record.id,
            paths: locator.keyringPaths,
            items: locator.connect(patience)
        )
        key = try KeyringCopies.key(salvage.reader(), salvage.position)
    }

    /// What was found, kept and lost.
    package var report: SalvageReport {
        salvage.report { VaultRepair.comparedKinds.contains($0.rawValue) }
    }

    /// Makes a key for the new vault if there is none.
    ///
    /// - Throws: `lastSlot` if no slot is portable; `outOfMemory`.
    package func makeKey(_ slots: [NewSlot]) throws(StoreError) -> CopyKey {
        try CopyKey.make(
            slots,
            for: salvage.vaultID,
            epoch: salvage.position.epoch,
            entropy: .system,
            at: SystemTime.milliseconds()
        )
    }

    /// Writes the new vault, which is read whole before it gets its name.
    ///
    /// The new vault has the id and the key epoch of the damaged one. Its generation is above everything that was seen,
    /// and all its records predate a restore.
    ///
    /// - Returns: What the second reader found in it; nil if nothing was to be written.
    /// - Throws: `alreadyExists`; `newerRecord`; `diskFull`, `io`.
    package func write(_ key: CopyKey) throws(StoreError) -> VerifyReport? {
        guard let target else { return nil }
        return try key.backUp(
            CopyKey.Source(salvage.reader(), of: salvage.vaultID, at: salvage.next()),
            to: target,
            entropy: .system
        )
    }
}
