public import RecordStore
public import VaultCrypto

extension SecretServiceStore {
    /// Makes a new vault without records.
    ///
    /// - Parameters:
    ///   - name: The name of the vault, for the label of its header.
    ///   - choice: The collection of the vault; a missing named one is made.
    ///   - paths: The paths of anchor and lock.
    ///   - service: The Secret Service.
    ///   - natives: The values of the records for other programs.
    ///   - entropy: The source of ids.
    ///   - now: The time, Unix milliseconds.
    /// - Returns: The new vault, open.
    /// - Throws: `noSuchCollection`, `keyringLocked`, `promptDismissed`, `keyringTimeout`;
    ///   `anchorNotWritten`. The items made so far are removed again, as far as the service answers.
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

    /// Opens a vault, and finishes or undoes an interrupted commit.
    ///
    /// - Throws: `notFound` if its header does not exist; `keyringLocked`, `promptDismissed`, `rollback`,
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
    /// Equal items of an earlier attempt are kept, others are replaced.
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

    /// Every vault in the service, including locked ones.
    public static func vaults(in service: SecretService) throws(StoreError) -> [KeyringVault] {
        try vaults(items: service)
    }

    /// Removes every item of a vault, its header first; with `paths` also the copy of the root.
    package static func erase(
        vaultID: [UInt8],
        service: SecretService,
        paths: KeyringPaths? = nil
    ) throws(StoreError) {
        try erase(vaultID: vaultID, items: service)
        if let paths { RootCopy(path: paths.rootCopy(vaultID), vaultID: vaultID).remove() }
    }
}
