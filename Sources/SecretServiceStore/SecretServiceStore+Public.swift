public import RecordStore
public import VaultCrypto

extension SecretServiceStore {
    /// Makes a new vault without records.
    ///
    /// - Parameters:
    ///   - name: What the vault is called; shown in the label of its header.
    ///   - choice: The collection that will hold it; a missing named one is made.
    ///   - paths: Where anchor and lock lie.
    ///   - service: The Secret Service.
    ///   - natives: What other programs read of the records.
    ///   - entropy: Where ids come from.
    ///   - now: The time in milliseconds of Unix time.
    /// - Returns: The new vault, open.
    /// - Throws: `noSuchCollection`, `keyringLocked`, `promptDismissed`, `keyringTimeout`;
    ///   `anchorNotWritten`. What was made of the vault is removed again, as far as the service answers.
    public static func create(
        named name: String,
        in choice: CollectionChoice,
        paths: KeyringPaths,
        service: SecretService,
        natives: NativeValues = .none,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let collection = try service.collection(choice, making: true)
        return try create(
            named: name,
            in: collection,
            paths: paths,
            items: service,
            natives: natives,
            entropy: entropy,
            now: now
        )
    }

    /// Opens a vault, finishing or undoing what an interrupted commit left.
    ///
    /// - Throws: `notFound` when its header is not there; `keyringLocked`, `promptDismissed`, `rollback`,
    ///   `fork`, `anchorRequired`, `tampered(.head)`.
    public static func open(
        vaultID: [UInt8],
        options: OpenOptions = OpenOptions(),
        paths: KeyringPaths,
        service: SecretService,
        natives: NativeValues = .none,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        try open(
            vaultID: vaultID,
            options: options,
            paths: paths,
            items: service,
            natives: natives,
            describe: { path throws(StoreError) in
                guard let found = try service.collections().first(where: { $0.path == path }) else {
                    throw .noSuchCollection
                }
                return found
            },
            entropy: entropy,
            now: now
        )
    }

    /// Makes a vault that has every record of another store, with its revisions, at a later position.
    ///
    /// What an earlier try left of the same vault is taken over where it is equal, and replaced where not.
    package static func adopt(
        _ source: any RecordReader,
        vaultID: [UInt8],
        named name: String,
        position: Position,
        in choice: CollectionChoice,
        paths: KeyringPaths,
        service: SecretService,
        natives: NativeValues = .none,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        let collection = try service.collection(choice, making: true)
        return try adopt(
            source,
            vaultID: vaultID,
            named: name,
            position: position,
            in: collection,
            paths: paths,
            items: service,
            natives: natives,
            entropy: entropy,
            now: now
        )
    }

    /// Every vault that the service holds, locked ones too.
    public static func vaults(in service: SecretService) throws(StoreError) -> [KeyringVault] {
        try vaults(items: service)
    }

    /// Removes every item of a vault, its header first, and the copy of the root from its place where that is told.
    package static func erase(
        vaultID: [UInt8],
        service: SecretService,
        paths: KeyringPaths? = nil
    ) throws(StoreError) {
        try erase(vaultID: vaultID, items: service)
        if let paths { RootCopy(path: paths.rootCopy(vaultID), vaultID: vaultID).remove() }
    }
}
