public import RecordStore
internal import Synchronization
internal import VaultCrypto

/// A vault in the desktop's Secret Service: a root, pages of records, and copies of passwords for other programs
/// (Schemas/keyring-vault.md).
///
/// Calls wait for the service, and perhaps for a person, so make them from a separate executor; calls from several
/// threads wait for each other if necessary.
public final class SecretServiceStore: Store {
    private struct State {
        var known: FoundRoot?
        /// The key epoch in which the store was opened, or which it began itself.
        var epoch: UInt32?
        var events: [StoreEvent]
        var cleanedUp = 0
        var rootReturns = 0
        var isLocked = false
    }

    /// The id of the vault: 16 bytes, public.
    public let vaultID: [UInt8]
    /// The vault's collection.
    public let collection: CollectionInfo
    /// Whether commits are refused: by request, or for an old copy.
    public let isReadOnly: Bool
    let items: KeyringItems
    let copies: Copies
    let lockFile: VaultLock
    let anchor: Anchor
    let place: KeyringPlace
    /// Whether the store was opened to read an old copy, or to accept one as the vault.
    let takesOldCopies: Bool
    let entropy: Entropy
    let now: @Sendable () -> UInt64
    private let state: Mutex<State>

    init(
        _ place: KeyringPlace,
        _ collection: CollectionInfo,
        isReadOnly: Bool,
        takesOldCopies: Bool = false,
        events: [StoreEvent]
    ) {
        vaultID = place.vaultID
        self.collection = collection
        self.isReadOnly = isReadOnly
        items = KeyringItems(service: place.service, vaultID: place.vaultID, collection: collection.path)
        copies = Copies(items: items, values: place.natives)
        lockFile = place.lockFile
        anchor = place.anchor
        self.place = place
        self.takesOldCopies = takesOldCopies
        entropy = place.entropy
        now = place.now
        state = Mutex(State(events: events))
    }

    /// Passes one consistent view to `body`, which must not call the store again.
    ///
    /// - Throws: What `body` throws; `keyringLocked`, `promptDismissed`, `keyringTimeout`, `keyringDied`; `tampered`
    ///   for items without the vault's mark; `rollback`, `fork`; `busy` if the vault was changed while a person was
    ///   asked to unlock it.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try view { reader, _ throws(StoreError) in try body(reader) }
    }

    /// Like `read`, and also passes the view's position in the history of the vault.
    package func view<R>(
        _ body: (any RecordReader, Position) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let (held, found) = try unlocking { () throws(StoreError) in try beginReading() }
        let reader = KeyringReader(items, found.root, lockFile, held)
        defer { withExtendedLifetime(reader) {} }
        return try body(reader, found.root.position)
    }

    /// Runs a reading operation of the store under the lock that readers share.
    func reading<R>(_ body: (FoundRoot) throws(StoreError) -> R) throws(StoreError) -> R {
        try unlocking { () throws(StoreError) in
            let (held, found) = try beginReading()
            defer { withExtendedLifetime(held) {} }
            return try body(found)
        }
    }

    /// The events since the vault was opened.
    public var noted: [StoreEvent] { state.withLock { $0.events } }

    /// The number of removed items of interrupted commits since the vault was opened.
    public var cleanedUp: Int { state.withLock { $0.cleanedUp } }

    /// Whether the root was restored from its copy since the vault was opened, or to open it.
    public var isPutBack: Bool { rootReturns > 0 }

    /// How often the root was restored from its copy.
    package var rootReturns: Int { state.withLock { $0.rootReturns } }

    /// Closes the store; every later call is refused with `locked`.
    public func lock() {
        state.withLock { state in
            state.isLocked = true
            state.known = nil
        }
    }

    /// The root that was found last.
    func known() throws(StoreError) -> FoundRoot? {
        try state.withLock { state throws(StoreError) in
            guard !state.isLocked else { throw .locked }
            return state.known
        }
    }

    /// Remembers a root; a root that the store has just written also sets the key epoch in which it continues.
    func remember(_ found: FoundRoot, isOwn: Bool = false) {
        state.withLock { state in
            guard !state.isLocked else { return }
            state.known = found
            if isOwn || state.epoch == nil { state.epoch = found.root.epoch }
        }
    }

    /// Refuses a vault whose key epoch another process has raised since it was opened here.
    ///
    /// - Throws: `rekeyed`.
    func checkEpoch(of root: Root) throws(StoreError) {
        guard let epoch = state.withLock({ $0.epoch }), root.epoch > epoch else { return }
        throw .rekeyed
    }

    /// Notes an event that a person should know of.
    func note(_ event: StoreEvent) {
        state.withLock { $0.events.append(event) }
    }

    /// Notes the number of removed items of interrupted commits.
    func noteCleanedUp(_ count: Int) {
        state.withLock { $0.cleanedUp += count }
    }

    /// Notes that the root was restored.
    func notePutBack() {
        state.withLock { $0.rootReturns += 1 }
    }

    /// Runs an operation that locks the vault itself.
    ///
    /// Repeats it after unlocking a locked collection, and after restoring a root that another program removed.
    func unlocking<R>(_ act: () throws(StoreError) -> R) throws(StoreError) -> R {
        do {
            return try act()
        } catch {
            switch error {
            case .keyringLocked: try items.service.unlock([collection.path])
            case .notFound, .tampered(.head):
                guard !isReadOnly else { throw error }
                switch try place.putRootBack() {
                case .none: throw error
                case .already: break
                case .putBack: notePutBack()
                }
            default: throw error
            }
        }
        return try act()
    }
}
