internal import AgentProtocol
internal import Synchronization

/// How many calls wait for a person, and which program has its question asked.
extension RateLimiter {
    /// A call that may wait for a person.
    struct Pending: Sendable {
        enum Stage: Sendable {
            case counted
            /// In the queue for a question; the signal ends that.
            case queued(Cancellation)
            case asking
        }

        /// The passphrase window that the call may bring.
        enum Window: Sendable {
            case none, shown, refused
        }

        let call: UInt64
        let process: ProcessID
        let program: String
        var stage = Stage.counted
        var window = Window.none

        var isQueued: Bool { if case .queued = stage { true } else { false } }
        var isAsking: Bool { if case .asking = stage { true } else { false } }
    }

    /// Counts a call that may wait for a person, until `end`.
    ///
    /// - Parameters:
    ///   - process: the process that calls.
    ///   - program: the name of its program.
    /// - Returns: the number of the call.
    /// - Throws: `busy` if as many calls of the process, of the program or of all wait as may.
    func begin(_ process: ProcessID, of program: String) throws(Refusal) -> UInt64 {
        try state.withLock { state throws(Refusal) in
            guard state.pending.count < Limits.pendingInAll,
                state.pending.count(where: { $0.program == program }) < Limits.pendingOfProgram,
                state.pending.count(where: { $0.process == process }) < Limits.pendingOfProcess
            else {
                state.refused.tooMany += 1
                throw .tooManyQuestions
            }
            state.lastCall += 1
            state.pending.append(Pending(call: state.lastCall, process: process, program: program))
            return state.lastCall
        }
    }

    /// The call no longer waits.
    func end(_ call: UInt64) { state.withLock { $0.pending.removeAll { $0.call == call } } }

    /// Asks about a call when its program's question is next: one question of each program at a time, and of a few programs.
    ///
    /// - Parameters:
    ///   - call: its number.
    ///   - cancellation: the interest of the caller.
    ///   - ask: decides again whether there is something to ask, as the question before may have answered it.
    /// - Returns: the result of `ask`.
    /// - Throws: `busy` if too many calls wait; `cancelled`; what `ask` throws.
    func whenNext<R>(
        _ call: UInt64,
        _ cancellation: Cancellation,
        _ ask: () throws(Refusal) -> R
    ) throws(Refusal) -> R {
        guard let signal = try? Cancellation() else { throw .exhausted }
        let isNext = try state.withLock { state throws(Refusal) in try state.queue(call, signal) }
        defer { state.withLock { $0.leave(call) }?.cancel() }
        if !isNext, cancellation.wait(for: signal.descriptor) == .cancelled { throw .cancelled }
        return try ask()
    }

    // MARK: The passphrase window

    /// The passphrase window of a call is about to be shown.
    ///
    /// - Throws: `locked` if programs left too many questions unanswered: others that wait may still ask in their own way.
    func showWindow(of call: UInt64) throws(Refusal) {
        guard let program = state.withLock({ $0[call]?.program }) else { throw .locked }
        let isShown = !isCrowded(for: program)
        state.withLock { $0[call]?.window = isShown ? .shown : .refused }
        guard isShown else { throw .locked }
    }

    /// The call went before its window came.
    func missedWindow(of call: UInt64) { state.withLock { $0[call]?.window = .none } }

    /// The vault did not open for a call.
    ///
    /// A window that was left unanswered counts as closed. The answer counts for the program that the window names, and not for
    /// programs that wait for the same window.
    ///
    /// - Parameters:
    ///   - call: its number.
    ///   - error: why the vault did not open.
    ///   - hasLeft: whether the program itself went, and not its front.
    /// - Returns: the error for the program.
    func windowEnded(of call: UInt64, by error: AgentError, hasLeft: () -> Bool) -> AgentError {
        guard let pending = state.withLock({ $0[call] }) else { return error }
        switch (pending.window, error) {
        case (.shown, .refused(.dismissed)), (.shown, .refused(.late)): closedWindow(of: pending.program)
        // Otherwise a program that withdraws its window would have it shown as often as it likes.
        case (.shown, .refused(.cancelled)): if hasLeft() { closedWindow(of: pending.program) }
        case (.refused, .refused(.locked)): return .refused(.tooManyWindows)
        default: break
        }
        return error
    }
}

extension RateLimiter.State {
    subscript(call: UInt64) -> RateLimiter.Pending? {
        get { pending.first { $0.call == call } }
        set {
            guard let newValue, let place = pending.firstIndex(where: { $0.call == call }) else { return }
            pending[place] = newValue
        }
    }

    /// Lets a call ask at once, or puts it into the queue.
    ///
    /// While fewer programs than may are asking, only calls of programs that are asking wait.
    ///
    /// - Returns: whether it may ask at once.
    mutating func queue(_ call: UInt64, _ signal: Cancellation) throws(Refusal) -> Bool {
        guard let place = pending.firstIndex(where: { $0.call == call }) else { throw .cancelled }
        let asking = pending.filter(\.isAsking)
        let program = pending[place].program
        guard asking.count >= RateLimiter.Limits.asking || asking.contains(where: { $0.program == program })
        else {
            pending[place].stage = .asking
            return true
        }
        let queued = pending.filter(\.isQueued)
        guard queued.count < RateLimiter.Limits.queuedInAll,
            queued.count(where: { $0.program == program }) < RateLimiter.Limits.queuedOfProgram
        else {
            refused.tooMany += 1
            throw .tooManyQuestions
        }
        var entry = pending.remove(at: place)
        entry.stage = .queued(signal)
        pending.append(entry)
        return false
    }

    /// Ends the question of a call, or its wait in the queue.
    ///
    /// - Returns: the signal of the call that may ask now: of another program first, else of the same one.
    mutating func leave(_ call: UInt64) -> Cancellation? {
        guard let place = pending.firstIndex(where: { $0.call == call }) else { return nil }
        let left = pending[place]
        pending[place].stage = .counted
        guard left.isAsking else { return nil }
        let asking = Set(pending.filter(\.isAsking).map(\.program))
        let next =
            pending.firstIndex { $0.isQueued && $0.program != left.program && !asking.contains($0.program) }
            ?? pending.firstIndex { $0.isQueued && $0.program == left.program }
        guard let next, case .queued(let signal) = pending[next].stage else { return nil }
        pending[next].stage = .asking
        return signal
    }
}
