internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// The central state of an agent: locked, or open with a vault.
///
/// Its calls may block, so they run on threads of our own and never in a task.
package final class AgentCore: Sendable {
    struct State {
        var open: OpenVault?
        /// The number of locks: a vault that was opened before the last lock is not accepted after it.
        var locks: UInt64 = 0
        var round: UnlockRound?
        var isStopping = false
        var lastVaultID: [UInt8]?
        var lastBackend: String?
    }

    /// The time that a lock waits for writes that must finish before the vault closes, in milliseconds.
    private static let parting = 2_000
    /// The time that a lock waits for running uses of the vault before it returns, in seconds.
    private static let grace = 5

    package let opener: any VaultOpener
    let state = Mutex(State())
    private let observers = Mutex<[any LockObserver]>([])
    /// Held while observers are called, so that they are notified of openings and locks in order.
    private let telling = TimedLock()
    /// Held during a key derivation, which needs much memory: one at a time.
    let deriving = Mutex(())
    /// Held while a device is asked, which may wait for a touch: one at a time.
    let touching = Mutex(())

    /// Creates a locked agent.
    package init(opener: any VaultOpener) {
        self.opener = opener
    }

    /// Adds an observer of openings and locks.
    package func add(_ observer: any LockObserver) {
        observers.withLock { $0.append(observer) }
    }

    /// The vault if it is open.
    package var openVault: OpenVault? { state.withLock { $0.open } }

    /// True while no key is in memory.
    package var isLocked: Bool { openVault == nil }

    /// The id and the backend of the vault after it was first opened.
    package var lastSeen: (vaultID: [UInt8], backend: String)? {
        state.withLock { state in
            guard let id = state.lastVaultID, let backend = state.lastBackend else { return nil }
            return (id, backend)
        }
    }

    /// Notes the use of a secret, which restarts the idle time.
    package func touchUse() {
        for observer in observers.withLock({ $0 }) { observer.vaultUsed() }
    }

    /// Waits until every observer was notified of the newest opening or lock.
    package func settle() { _ = telling.pass {} }

    /// Shortens the time until the lock.
    func limit(to seconds: Int) {
        for observer in observers.withLock({ $0 }) { observer.vaultLimited(to: seconds) }
    }

    /// Locks: refuses further requests to the vault, stores the length of its log, wipes the keys, and notifies every
    /// observer.
    ///
    /// None of these steps can fail, and everything before the wiping ends within some seconds.
    ///
    /// Afterwards no key is in memory, unless an earlier use is still running after five seconds. Such a use loses
    /// its keys when it ends.
    /// - Returns: false if a use is still running.
    @discardableResult
    package func lock(_ reason: LockReason) -> Bool {
        let (closed, round) = state.withLock { state in
            state.locks += 1
            defer { state.open = nil }
            return (state.open, state.round)
        }
        if reason == .stop { round?.question.cancel() }
        guard let closed else { return true }
        let isDone = telling.pass(within: Self.parting) {
            part(with: closed, reason)
            closed.close()
            tellLocked(reason)
            return true
        }
        if isDone == nil {
            // An observer is still busy with the opening, which must not keep the keys in memory.
            closed.close()
            _ = telling.pass { tellLocked(reason) }
        }
        return closed.waitForUsers(seconds: Self.grace)
    }

    private func tellLocked(_ reason: LockReason) {
        for observer in observers.withLock({ $0 }) { observer.vaultLocked(reason) }
    }

    /// Lets observers write before the vault closes, on a thread that may be abandoned.
    private func part(with vault: OpenVault, _ reason: LockReason) {
        let done = DispatchSemaphore(value: 0)
        let told = observers.withLock { $0 }
        do throws(SystemError) {
            try OwnThread.start("closing") {
                for observer in told { observer.vaultCloses(vault, reason) }
                done.signal()
            }
        } catch {
            return
        }
        _ = done.wait(timeout: .now() + .milliseconds(Self.parting))
    }

    /// Notifies the observers that a secret was tried.
    func tried(by peer: Peer?, isRight: Bool) {
        for observer in observers.withLock({ $0 }) { observer.unlockTried(by: peer, isRight: isRight) }
    }

    /// Locks permanently: the vault can no longer be opened.
    package func stop() {
        state.withLock { $0.isStopping = true }
        lock(.stop)
    }

    /// Accepts a vault that was opened when `locks` locks had happened.
    ///
    /// - Returns: the open vault; another one if another caller was faster.
    func take(
        _ opened: OpenVault,
        locks: UInt64,
        for seconds: Int?,
        by peer: Peer?
    ) throws(AgentError) -> OpenVault {
        let told: (OpenVault?, Refusal?)? = telling.pass {
            let (taken, refusal): (OpenVault?, Refusal?) = state.withLock { state in
                if let open = state.open { return (open, nil) }
                guard !state.isStopping else { return (nil, .stopping) }
                guard state.locks == locks else { return (nil, .locked) }
                state.open = opened
                state.lastVaultID = opened.vaultID
                state.lastBackend = opened.backend
                return (opened, nil)
            }
            if taken === opened {
                tried(by: peer, isRight: true)
                for observer in observers.withLock({ $0 }) { observer.vaultOpened(opened, for: seconds) }
            }
            return (taken, refusal)
        }
        let (taken, refusal) = told ?? (nil, .locked)
        if taken !== opened { opened.close() }
        guard let taken else { throw .refused(refusal ?? .locked) }
        return taken
    }
}
