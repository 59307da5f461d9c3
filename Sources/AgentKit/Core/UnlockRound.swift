internal import AgentProtocol
internal import Synchronization

/// A running attempt to open the vault, and the callers that wait for its result.
final class UnlockRound: Sendable {
    /// A waiting caller; its signal wakes it.
    final class Waiter: Sendable {
        enum Outcome: Equatable {
            /// The caller must check again: the vault is open, or another caller has to try.
            case again
            case failed(AgentError)
        }

        let signal: Cancellation
        /// Whether the caller can ask a person; if not, it does not wait for another person either.
        let asks: Bool
        private let outcome = Mutex(Outcome.again)
        private let isTold = Mutex(false)
        private let waits: @Sendable (QuestionSpot?) -> Void

        init(asks: Bool, waits: @escaping @Sendable (QuestionSpot?) -> Void = { _ in }) throws(SystemError) {
            signal = try Cancellation()
            self.asks = asks
            self.waits = waits
        }

        /// Tells the caller once where another person is being asked.
        func tell(_ spot: QuestionSpot?) {
            let isFirst = isTold.withLock { isTold in
                defer { isTold = true }
                return !isTold
            }
            if isFirst { waits(spot) }
        }

        func wake(_ outcome: Outcome) {
            self.outcome.withLock { $0 = outcome }
            signal.cancel()
        }

        var result: Outcome { outcome.withLock { $0 } }
    }

    private struct State {
        var isAsking = false
        var spot: QuestionSpot?
        var waiters: [Waiter] = []
    }

    /// Ends when nobody needs the prompt any more: its caller has gone, or the vault is open.
    let question: Cancellation
    private let state = Mutex(State())

    init(under caller: Cancellation) throws(SystemError) {
        question = try Cancellation(under: [caller])
    }

    /// Joins the waiting callers; false if a person is being asked, and this caller may not wait for that.
    func join(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard waiter.asks || !state.isAsking else { return false }
            state.waiters.append(waiter)
            return true
        }
    }

    /// Notes that a person is being asked at this place, and tells the waiting callers.
    func beginAsking(at spot: QuestionSpot?) {
        let waiters = state.withLock { state in
            (state.isAsking, state.spot) = (true, spot)
            defer { state.waiters.removeAll { !$0.asks } }
            return state.waiters
        }
        for waiter in waiters {
            if waiter.asks { waiter.tell(spot) } else { waiter.wake(.failed(.refused(.locked))) }
        }
    }

    /// Tells a waiting caller if a person is being asked.
    func tell(_ waiter: Waiter) {
        let (isAsking, spot) = state.withLock { ($0.isAsking, $0.spot) }
        if isAsking { waiter.tell(spot) }
    }

    /// Ends the round and wakes all waiting callers.
    func end(_ outcome: Waiter.Outcome) {
        let told = state.withLock { state in
            let told = state.waiters
            state.waiters = []
            return told
        }
        for waiter in told { waiter.wake(outcome) }
    }
}
