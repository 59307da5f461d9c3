public import RecordStore
public import VaultCrypto

extension FileStore {
    /// Opens a vault.
    ///
    /// Checks paths and permissions, the tables, the slots, the head, and that this is not an older copy than
    /// the one seen here last. Making the key of a passphrase takes a good part of a second.
    ///
    /// - Parameters:
    ///   - paths: Where the vault and its anchor lie.
    ///   - unlock: A secret that opens a slot.
    ///   - options: Reading only, old copies, anchors.
    ///   - overview: What the same file showed a moment ago, whose connection is taken over if it was kept.
    ///   - entropy: Where nonces come from.
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

    /// Opens a vault with the vault key itself: for measurements and tests that leave the key derivation out.
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
