internal import AgentProtocol
internal import Synchronization

/// One going attempt to open the vault, and those who wait for how it ends.
final class UnlockRound: Sendable {
    /// A caller that waits; woken by its signal.
    final class Waiter: Sendable {
        enum Outcome: Equatable {
            /// Look again: it is open, or another caller has to try.
            case again
            case failed(AgentError)
        }

        let signal: Cancellation
        /// Whether it has a person to ask: otherwise it does not wait for one either.
        let asks: Bool
        private let outcome = Mutex(Outcome.again)
        private let isTold = Mutex(false)
        private let waits: @Sendable (QuestionSpot?) -> Void

        init(asks: Bool, waits: @escaping @Sendable (QuestionSpot?) -> Void = { _ in }) throws(SystemError) {
            signal = try Cancellation()
            self.asks = asks
            self.waits = waits
        }

        /// Tells once where another person is being asked.
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

    /// Over when the question is of no use any more: its caller hung up, or the vault is open.
    let question: Cancellation
    private let state = Mutex(State())

    init(under caller: Cancellation) throws(SystemError) {
        question = try Cancellation(under: [caller])
    }

    /// Waits with the others; false when a person is being asked already and this one may not wait for that.
    func join(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard waiter.asks || !state.isAsking else { return false }
            state.waiters.append(waiter)
            return true
        }
    }

    /// From here on it depends on a person, who is asked there: those who wait are told.
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

    /// Tells a caller that waits, if it depends on a person by now.
    func tell(_ waiter: Waiter) {
        let (isAsking, spot) = state.withLock { ($0.isAsking, $0.spot) }
        if isAsking { waiter.tell(spot) }
    }

    /// No caller waits here any longer.
    func end(_ outcome: Waiter.Outcome) {
        let told = state.withLock { state in
            let told = state.waiters
            state.waiters = []
            return told
        }
        for waiter in told { waiter.wake(outcome) }
    }
}
