public import RecordStore
public import VaultCrypto

extension FileStore {
    /// Opens a vault.
    ///
    /// Checks paths and permissions, the tables, the slots, the head, and that this copy is not older than the last one
    /// seen here. Deriving the key of a passphrase takes most of a second.
    ///
    /// - Parameters:
    ///   - paths: The paths of the vault and its anchor.
    ///   - unlock: A secret that opens a slot.
    ///   - options: Reading only, old copies, anchors.
    ///   - overview: A recent overview of the same file; its connection is used if it was kept.
    ///   - entropy: The source of nonces.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: The vault, unlocked.
    /// - Throws: `notFound`, `unsafeFile`, `unsuitableFileSystem`, `notAVault`, `newerFormat`,
    ///   `schemaTampered`, `corrupt`, `noSuchSlot`, `wrongSecret`, `kdfOutOfBounds`, `tampered`, `rollback`,
    ///   `fork`, `anchorRequired`, `readOnlyWithLog`.
    public static func open(
        at paths: VaultPaths,
        unlock: Unlock,
        options: OpenOptions = OpenOptions(),
        after overview: FileOverview? = nil,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> FileStore {
        let kept = try Opening(after: overview, paths, options)
        let opening = if let kept { kept } else { try Opening(paths, options) }
        return try opening.open(entropy, now) { slots, head throws(StoreError) in
            let opened = try slots.unwrap(unlock, vaultID: head.vaultID, epoch: head.epoch)
            return FoundKeys(keys: try VaultKeys(vaultKey: opened.vaultKey), isCarried: opened.isCarried)
        }
    }

    /// Opens a vault with the vault key itself, for measurements and tests without key derivation.
    package static func open(
        at paths: VaultPaths,
        withVaultKey key: borrowing SecretBytes,
        options: OpenOptions = OpenOptions(),
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> FileStore {
        let keys = try VaultKeys(vaultKey: key)
        return try Opening(paths, options).open(entropy, now) { _, _ throws(StoreError) in
            FoundKeys(made: keys)
        }
    }
}
