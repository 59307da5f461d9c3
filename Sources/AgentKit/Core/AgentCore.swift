internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// The one state of an agent: locked, or open with a vault; everything else hangs on it.
///
/// Its calls wait, so they are made from threads of our own, never from a task.
package final class AgentCore: Sendable {
    struct State {
        var open: OpenVault?
        /// Counts the locks: a vault that was opened before one of them is not taken after it.
        var locks: UInt64 = 0
        var round: UnlockRound?
        var isStopping = false
        var lastVaultID: [UInt8]?
        var lastBackend: String?
    }

    /// How long a lock waits for those who have something to write into the vault before it closes, in milliseconds.
    private static let parting = 2_000
    /// How long a lock waits for those who are in the middle of a use before it answers, in seconds.
    private static let grace = 5

    package let opener: any VaultOpener
    let state = Mutex(State())
    private let observers = Mutex<[any LockObserver]>([])
    /// Held while observers are called, so that they learn of a lock after they learned of its opening.
    private let telling = TimedLock()
    /// Held while a key is derived, which takes much memory: one at a time.
    let deriving = Mutex(())
    /// One device is asked at a time, however long it waits for a touch.
    let touching = Mutex(())

    /// An agent that is locked.
    package init(opener: any VaultOpener) {
        self.opener = opener
    }

    /// Adds an observer of opening and locking.
    package func add(_ observer: any LockObserver) {
        observers.withLock { $0.append(observer) }
    }

    /// The vault, while it is open.
    package var openVault: OpenVault? { state.withLock { $0.open } }

    /// True while no key is in memory.
    package var isLocked: Bool { openVault == nil }

    /// Which vault it is, and where it is kept, once it was opened.
    package var lastSeen: (vaultID: [UInt8], backend: String)? {
        state.withLock { state in
            guard let id = state.lastVaultID, let backend = state.lastBackend else { return nil }
            return (id, backend)
        }
    }

    /// A secret was used: the idle time begins again.
    package func touchUse() {
        for observer in observers.withLock({ $0 }) { observer.vaultUsed() }
    }

    /// Waits until every observer has heard of the newest opening or lock.
    package func settle() { _ = telling.pass {} }

    /// Shortens the time until the lock.
    func limit(to seconds: Int) {
        for observer in observers.withLock({ $0 }) { observer.vaultLimited(to: seconds) }
    }

    /// Locks: no request reaches the vault any more, how far its log reaches is kept, the keys are wiped, every observer is
    /// told; nothing of it can fail, and nothing before the wiping takes longer than some seconds.
    ///
    /// When it returns, no key is in memory, unless a use that began before is still running after five seconds:
    /// it loses them at its end.
    /// - Returns: false for that.
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
            // An observer takes too long over the opening: that cannot keep the keys.
            closed.close()
            _ = telling.pass { tellLocked(reason) }
        }
        return closed.waitForUsers(seconds: Self.grace)
    }

    private func tellLocked(_ reason: LockReason) {
        for observer in observers.withLock({ $0 }) { observer.vaultLocked(reason) }
    }

    /// Lets those write who have to, on a thread that may be left behind.
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

    /// A secret was tried.
    func tried(by peer: Peer?, isRight: Bool) {
        for observer in observers.withLock({ $0 }) { observer.unlockTried(by: peer, isRight: isRight) }
    }

    /// Locks for the last time: from here on the vault cannot be opened.
    package func stop() {
        state.withLock { $0.isStopping = true }
        lock(.stop)
    }

    /// Takes a vault that was opened while there were `locks` locks.
    ///
    /// - Returns: the vault that is open now: another one, if another caller was faster.
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
