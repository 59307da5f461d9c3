public import RecordStore
public import VaultCrypto

/// A vault in the desktop's Secret Service: each record an item of its own (Schemas/secret-service.md).
public final class SecretServiceStore: Store {
    /// 16 bytes, public.
    public let vaultID: [UInt8]
    /// The collection that holds its items.
    public let collection: CollectionInfo
    /// Whether commits are refused: asked for, or an old copy.
    public let isReadOnly: Bool

    init(vaultID: [UInt8], collection: CollectionInfo, isReadOnly: Bool) {
        self.vaultID = vaultID
        self.collection = collection
        self.isReadOnly = isReadOnly
    }

    /// Makes a new vault without records.
    ///
    /// - Parameters:
    ///   - name: What the vault is called; shown in the label of its header.
    ///   - choice: The collection that will hold it; a missing named one is made.
    ///   - paths: Where anchor and lock lie.
    ///   - service: The Secret Service.
    ///   - entropy: Where ids come from.
    ///   - now: The time in milliseconds of Unix time.
    public static func create(
        named name: String,
        in choice: CollectionChoice,
        paths: KeyringPaths,
        service: SecretService,
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        throw .noSecretService
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
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        throw .noSecretService
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
        entropy: Entropy,
        now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) -> SecretServiceStore {
        throw .noSecretService
    }

    /// Every vault that the service holds, locked ones too.
    public static func vaults(in service: SecretService) throws(StoreError) -> [KeyringVault] {
        throw .noSecretService
    }

    /// Removes every item of a vault, its header first.
    package static func erase(vaultID: [UInt8], service: SecretService) throws(StoreError) {
        throw .noSecretService
    }

    /// Lends one consistent view for the time of `body`, which must not call the store again.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        throw .noSecretService
    }

    /// Makes all changes or none.
    @discardableResult
    public func commit(_ changes: ChangeSet) throws(StoreError) -> Revision {
        throw .noSecretService
    }

    /// What can be said of the vault at a glance.
    public func status() throws(StoreError) -> KeyringStatus {
        throw .noSecretService
    }

    /// Reads every record with its secret, and counts what is not as it should be.
    public func verify() throws(StoreError) -> KeyringReport {
        throw .noSecretService
    }

    /// Takes an old copy as the vault from now on: every record predates a restore (floor and generation rise).
    public func acceptRollback() throws(StoreError) {
        throw .noSecretService
    }

    /// What happened since the vault was opened.
    public var noted: [StoreEvent] { [] }

    /// Closes the store; every later call is refused with `locked`.
    public func lock() {}
}
