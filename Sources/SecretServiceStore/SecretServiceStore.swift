public import RecordStore
internal import Synchronization
internal import VaultCrypto

/// A vault in the desktop's Secret Service: a root, pages of records, and copies of passwords for other programs
/// (Schemas/keyring-vault.md).
///
/// Calls wait for the service, and perhaps for a person, so they are made from an executor of their own; calls
/// from several threads take turns where they have to.
public final class SecretServiceStore: Store {
    private struct State {
        var known: FoundRoot?
        /// The key epoch that the store was opened in, or began itself.
        var epoch: UInt32?
        var events: [StoreEvent]
        var cleanedUp = 0
        var rootReturns = 0
        var isLocked = false
    }

    /// 16 bytes, public.
    public let vaultID: [UInt8]
    /// The collection that holds its items.
    public let collection: CollectionInfo
    /// Whether commits are refused: asked for, or an old copy.
    public let isReadOnly: Bool
    let items: KeyringItems
    let copies: Copies
    let lockFile: VaultLock
    let anchor: Anchor
    let place: KeyringPlace
    /// Opened to look at an old copy, or to take one as the vault.
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
    /// - Throws: What `body` throws; `keyringLocked`, `promptDismissed`, `keyringTimeout`, `keyringDied`;
    ///   `tampered` for what does not carry the vault's mark; `rollback`, `fork`; `busy` when the vault was changed
    ///   while a person was asked to unlock it.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try view { reader, _ throws(StoreError) in try body(reader) }
    }

    /// Like `read`, with the position of the view in the history of the vault.
    package func view<R>(
        _ body: (any RecordReader, Position) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let (held, found) = try unlocking { () throws(StoreError) in try beginReading() }
        let reader = KeyringReader(items, found.root, lockFile, held)
        defer { withExtendedLifetime(reader) {} }
        return try body(reader, found.root.position)
    }

    /// Does something of the store's own that reads, under the lock that readers share.
    func reading<R>(_ body: (FoundRoot) throws(StoreError) -> R) throws(StoreError) -> R {
        try unlocking { () throws(StoreError) in
            let (held, found) = try beginReading()
            defer { withExtendedLifetime(held) {} }
            return try body(found)
        }
    }

    /// What happened since the vault was opened.
    public var noted: [StoreEvent] { state.withLock { $0.events } }

    /// How many items of interrupted commits were removed since the vault was opened.
    public var cleanedUp: Int { state.withLock { $0.cleanedUp } }

    /// Whether the root had to be put back from its copy since the vault was opened, or to open it.
    public var isPutBack: Bool { rootReturns > 0 }

    /// How often that was.
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

    /// Keeps what was found; what the store itself has just written begins the key epoch that it goes on in.
    func remember(_ found: FoundRoot, isOwn: Bool = false) {
        state.withLock { state in
            guard !state.isLocked else { return }
            state.known = found
            if isOwn || state.epoch == nil { state.epoch = found.root.epoch }
        }
    }

    /// Refuses a vault that another process gave a new key epoch since it was opened here.
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

    /// Notes that the root was put back.
    func notePutBack() {
        state.withLock { $0.rootReturns += 1 }
    }

    /// Does something that takes the lock itself: once more after unlocking if the collection is locked, and once more
    /// after putting the root back if another program took it away.
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
