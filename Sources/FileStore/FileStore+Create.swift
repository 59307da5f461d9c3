internal import Files
public import RecordStore
public import VaultCrypto

extension FileStore {
    /// Creates a new vault and opens it; missing folders are created with access only for this user.
    ///
    /// The file gets its name only when it is complete and on the disk. Random bytes are drawn in this order: vault id,
    /// vault key, for each slot salt and two nonces, nonce of the head, six bytes of a temporary name.
    ///
    /// - Parameters:
    ///   - paths: The paths of the vault and its anchor.
    ///   - slots: At least one slot of a portable kind.
    ///   - entropy: The source of keys, salts and nonces.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: The new vault, unlocked.
    /// - Throws: `alreadyExists`, `lastSlot` without a portable slot, `slotLimit`, `invalidRecord(.slot)`,
    ///   `unsafeFile`, `unsuitableFileSystem`, `diskFull`, `outOfMemory`.
    public static func create(
        at paths: VaultPaths,
        slots: [NewSlot],
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> FileStore {
        try create(at: paths, vaultID: entropy.bytes(16), slots: slots, entropy: entropy, now: now)
    }

    /// Like `create`, for a vault whose id of 16 random bytes was drawn before, because an emergency kit
    /// names it.
    package static func create(
        at paths: VaultPaths,
        vaultID: [UInt8],
        slots: [NewSlot],
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> FileStore {
        try prepare(paths)
        let vaultKey: SecretBytes
        do { vaultKey = try entropy.secret(VaultKeys.vaultKeySize) } catch { throw StoreError(error) }
        return try create(
            at: paths,
            vaultID: vaultID,
            vaultKey: vaultKey,
            slots: slots,
            entropy: entropy,
            now: now
        )
    }

    /// Creates a new vault with a given key, for measurements and tests without key derivation.
    package static func create(
        at paths: VaultPaths,
        vaultID: [UInt8],
        vaultKey: borrowing SecretBytes,
        slots: [NewSlot],
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> FileStore {
        try prepare(paths)
        let keys = try VaultKeys(vaultKey: vaultKey)
        let keyslots = try make(
            slots,
            vaultKey: vaultKey,
            keys: keys,
            vaultID: vaultID,
            epoch: 1,
            time: now(),
            entropy: entropy
        )
        let head = try HeadRow(
            HeadContent(slotDigest: keyslots.digest(keys)),
            vaultID: vaultID,
            epoch: 1,
            keys: keys,
            entropy: entropy
        )
        try Creation.place(paths.vault, entropy: entropy) { rows throws(StoreError) in
            try rows.create(head, keyslots)
        }
        return try Opening(paths, OpenOptions()).open(entropy, now) { _, _ throws(StoreError) in
            FoundKeys(made: keys)
        }
    }

    /// The slots of a new vault, numbered from 1.
    static func make(
        _ slots: [NewSlot],
        vaultKey: borrowing SecretBytes,
        keys: VaultKeys,
        vaultID: [UInt8],
        epoch: UInt32,
        time: UInt64,
        entropy: Entropy
    ) throws(StoreError) -> Keyslots {
        guard slots.contains(where: { $0.unlock.kind.isPortable }) else { throw .lastSlot }
        var keyslots = try Keyslots([])
        for slot in slots {
            keyslots = try keyslots.adding(
                Keyslots.make(
                    slot,
                    number: keyslots.nextNumber,
                    vaultKey: vaultKey,
                    keys: keys,
                    vaultID: vaultID,
                    epoch: epoch,
                    time: time,
                    entropy: entropy
                )
            )
        }
        return keyslots
    }

    /// Checks that a vault can be created at the path, and that no vault exists there.
    static func prepare(_ paths: VaultPaths) throws(StoreError) {
        try PathChecks.makeFolder(paths.folder)
        try PathChecks.folder(paths.folder)
        guard try FileFacts(paths.vault) == nil else { throw .alreadyExists }
        try refuseStrayLog(paths)
    }

    /// Refuses a path at which a log exists without its file: SQLite would replay it into any new file of that name.
    static func refuseStrayLog(_ paths: VaultPaths) throws(StoreError) {
        for ending in ["-wal", "-journal"] {
            _ = try PathChecks.file(paths.vault + ending)
            guard try FileFacts(paths.vault + ending)?.size ?? 0 == 0 else { throw .alreadyExists }
        }
    }
}
