internal import LocalState
public import RecordStore
internal import Synchronization
internal import VaultCrypto

/// A vault in the desktop's Secret Service: each record an item of its own (Schemas/secret-service.md).
///
/// Calls wait for the service, and perhaps for a person, so they are made from an executor of their own; calls
/// from several threads take turns where they have to.
public final class SecretServiceStore: Store {
    private struct State {
        var known: Known?
        var events: [StoreEvent]
        var isLocked = false
    }

    /// 16 bytes, public.
    public let vaultID: [UInt8]
    /// The collection that holds its items.
    public let collection: CollectionInfo
    /// Whether commits are refused: asked for, or an old copy.
    public let isReadOnly: Bool
    let shelf: Shelf
    let lockFile: VaultLock
    let anchor: Anchor
    let lastWrite: LastWrite
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
        shelf = place.shelf(in: collection.path)
        lockFile = place.lockFile
        anchor = place.anchor
        lastWrite = place.lastWrite
        self.takesOldCopies = takesOldCopies
        entropy = place.entropy
        now = place.now
        state = Mutex(State(events: events))
    }

    /// Lends one consistent view for the time of `body`, which must not call the store again.
    ///
    /// - Throws: What `body` throws; `keyringLocked`, `promptDismissed`, `keyringTimeout`, `keyringDied`;
    ///   `tampered` for items that do not agree with themselves; `busy` when the vault was changed while
    ///   somebody was asked to unlock it.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        let (held, view) = try unlocking { () throws(StoreError) in try beginReading() }
        let reader = KeyringReader(shelf, view, lockFile, held)
        defer { withExtendedLifetime(reader) {} }
        return try body(reader)
    }

    /// Does something of the store's own that reads, under the lock that readers share.
    func reading<R>(_ body: (Known) throws(StoreError) -> R) throws(StoreError) -> R {
        try unlocking { () throws(StoreError) in
            let (held, view) = try beginReading()
            defer { withExtendedLifetime(held) {} }
            return try body(view.known)
        }
    }

    /// What happened since the vault was opened.
    public var noted: [StoreEvent] { state.withLock { $0.events } }

    /// Closes the store; every later call is refused with `locked`.
    public func lock() {
        state.withLock { state in
            state.isLocked = true
            state.known = nil
        }
    }

    /// What was found when the lock file said what `line` says; nil when that is not known.
    func remembered(_ line: LockLine) throws(StoreError) -> Known? {
        try state.withLock { state throws(StoreError) in
            guard !state.isLocked else { throw .locked }
            return state.known?.line == line ? state.known : nil
        }
    }

    /// Keeps what was found.
    func remember(_ known: Known) {
        state.withLock { if !$0.isLocked { $0.known = known } }
    }

    /// Notes something that a person should hear about.
    func note(_ event: StoreEvent) {
        state.withLock { $0.events.append(event) }
    }

    /// Does something that takes the lock itself, once more after unlocking if the collection is locked.
    func unlocking<R>(_ act: () throws(StoreError) -> R) throws(StoreError) -> R {
        do {
            return try act()
        } catch {
            guard error == .keyringLocked else { throw error }
        }
        try shelf.service.unlock([collection.path])
        return try act()
    }
}
