internal import CLinux
internal import Dispatch
internal import Glibc
internal import HSIP
public import RecordStore
internal import Synchronization
public import VaultCrypto

/// The vault that programs use: one actor over one store.
///
/// Every operation is one commit, and codes and ciphertexts are returned only after it is durable. Two processes may use
/// one vault: a change of the other process makes the commit a conflict, and the operation starts again from the new
/// state. There is no `await` between reading a counter and committing it.
public actor Vault {
    let store: any Store
    let entropy: Entropy
    let clock: @Sendable () -> UInt64
    private let executor = VaultExecutor()
    /// Alias → PeerID as of `aliasGeneration`.
    ///
    /// In any other state of the vault it is invalid, because another process may have given the alias to a second
    /// contact.
    var aliases: [String: PeerID] = [:]
    var aliasGeneration: UInt64 = 0
    var audit: AuditHolding
    /// The items of programs in memory while the vault is open.
    var items = ItemMemory()
    /// The shared log's state in memory while the vault is open.
    var logMemory = LogMemory()
    /// Called with the reason why the audit log has no entry.
    let unlogged: (@Sendable (VaultError) -> Void)?

    /// The time for which an operation tries again against other processes before it throws `busy`: ten seconds.
    public static let patience = Duration.seconds(10)

    /// Makes a vault over a store.
    ///
    /// - Parameters:
    ///   - store: the open store that every operation reads and commits to.
    ///   - clock: the wall clock in Unix seconds.
    ///   - entropy: the source of keys and nonces.
    ///   - auditFolder: the folder of the audit log; nil for no log.
    ///   - unlogged: called with the reason why an operation of this process is not in the log.
    public init(
        store: any Store,
        clock: @escaping @Sendable () -> UInt64 = Vault.systemClock,
        entropy: Entropy = .system,
        auditFolder: String? = nil,
        unlogged: (@Sendable (VaultError) -> Void)? = nil
    ) {
        self.store = store
        self.clock = clock
        self.entropy = entropy
        audit = AuditHolding(folder: auditFolder)
        self.unlogged = unlogged
    }

    /// The queue of this vault.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// The parts of the vault that an operation needs.
    enum Scope {
        /// Identity and clock only.
        case identity
        /// Everything except the nonce rows.
        case all
        /// Like `all`, but without damaged records; for display only.
        case shown
        /// Everything, and the rows that may contain the nonce of a message.
        case carried(MessageEnvelope)
        /// Some contacts, to send to each.
        case sending([String])
        /// One contact, to open a message.
        case reading(MessageEnvelope, from: String?)

        /// Whether only other people are shown, which needs no identity.
        var showsOthers: Bool { if case .shown = self { true } else { false } }

        /// Whether the data is only shown, and no decision depends on it.
        var isShown: Bool {
            switch self {
            case .identity, .shown: true
            case .all, .carried, .sending, .reading: false
            }
        }
    }

    /// The wall clock now, Unix seconds.
    nonisolated func now() -> UInt64 { clock() }

    /// The result of an operation on people: the loaded book, the outcome, and the book after it.
    struct Acted {
        let loaded: LoadedBook
        let outcome: Outcome
        let book: Book
    }

    /// Reads, changes and commits in one step; starts again if another process was faster.
    func perform(_ scope: Scope, _ event: (Book) throws -> Event) throws(VaultError) -> Acted {
        let (acted, commit) = try committing {
            let wallClock = clock()
            let loaded = try load(scope, wallClock: wallClock)
            var book = loaded.book
            let outcome = try book.reduce(try event(book), wallClock: wallClock, entropy: entropy)
            var changes = try loaded.changes(to: book, isRefused: outcome.refusal != nil)
            if changes != nil {
                changes?.changes += try ruleChanges(loaded.renamings(to: book))
                changes?.changes += try giftChanges(loaded.successor(in: book))
            }
            return (Acted(loaded: loaded, outcome: outcome, book: book), changes)
        }
        if let commit { keepAliases(of: acted.loaded, over: acted.book, at: commit.revision) }
        if let refusal = acted.outcome.refusal { throw .hsip(refusal) }
        return acted
    }

    /// The changes of rules that name a renamed contact.
    private func ruleChanges(_ renamings: [Renaming]) throws(VaultError) -> [Change] {
        guard !renamings.isEmpty else { return [] }
        let (now, entropy) = (now(), entropy)
        return try reading { reader in
            var rules = try RuleTransaction(reader, now: now, entropy: entropy)
            try rules.follow(renamings)
            return try rules.changes()?.changes ?? []
        }
    }

    /// The changes of gifts of a contact whose key was replaced.
    private func giftChanges(_ successor: (old: PeerID, new: PeerID)?) throws(VaultError) -> [Change] {
        guard let successor else { return [] }
        return try reading { reader in
            try reader.giftChanges(from: successor.old, to: successor.new)
        }
    }

    /// Keeps the cached aliases after a commit of this vault that touched no contact.
    private func keepAliases(of loaded: LoadedBook, over book: Book, at revision: Revision) {
        let isOnlyMine = loaded.generation == aliasGeneration && revision == aliasGeneration + 1
        let touchesNames = book.touched.contains { if case .contact = $0 { true } else { false } }
        if isOnlyMine, !touchesNames { aliasGeneration = revision }
    }
}

extension Vault {
    /// The wall clock of the system, Unix seconds (clock_gettime, CLOCK_REALTIME).
    public static let systemClock: @Sendable () -> UInt64 = {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return UInt64(max(0, time.tv_sec))
    }
}

/// Runs the jobs of one vault on one queue.
///
/// A slow disk or a keyring that asks a person blocks only this queue, never Swift's shared threads. A thread that waits
/// for the vault may do nothing else. If the vault is free, it runs the job itself, so that no other thread has to wake.
final class VaultExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isBusy = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "io.hsip.vault")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFree = state.withLock { state in
            guard !state.isBusy else {
                state.jobs.append(job)
                return false
            }
            state.isBusy = true
            return true
        }
        guard isFree else { return }
        if hsip_thread_may_wait() != 0 { run(job) } else { queue.async { [self] in run(job) } }
    }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        let next = state.withLock { state -> UnownedJob? in
            state.isBusy = !state.jobs.isEmpty
            return state.isBusy ? state.jobs.removeFirst() : nil
        }
        // A thread that has its own result must not run the jobs of other callers.
        if let next { queue.async { [self] in run(next) } }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }
}
