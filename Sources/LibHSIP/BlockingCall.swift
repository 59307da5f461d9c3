internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// Work for a caller who waits: it is done on threads of ours, and its questions are asked in the thread that waits.
///
/// The waiting thread belongs to the host program, so it may be blocked; none of Swift's ever is.
final class BlockingCall: Sendable {
    private enum State {
        case working
        case asks(Question)
        case answered(Answer)
        case done
        /// The caller waits no longer.
        case left
    }

    private let state = Mutex(State.working)
    private let forCaller = DispatchSemaphore(value: 0)
    private let forWorker = DispatchSemaphore(value: 0)

    /// Asks the person through the caller; called where the work is done, on a thread that may wait.
    func ask(_ question: Question) -> Answer {
        let isHeard = state.withLock { state in
            guard case .working = state else { return false }
            state = .asks(question)
            return true
        }
        guard isHeard else { return .late }
        forCaller.signal()
        forWorker.wait()
        return state.withLock { state in
            guard case .answered(let answer) = state else { return .late }
            state = .working
            return answer
        }
    }

    /// Says that it is done.
    func finish() {
        state.withLock { state in
            if case .left = state { return }
            state = .done
        }
        forCaller.signal()
    }

    /// Waits for the end, and asks what is asked meanwhile; the time for that is not counted.
    ///
    /// - Returns: false when the time was over before the work.
    func wait(_ patience: Duration, asking: (Question) -> Answer) -> Bool {
        var deadline = ContinuousClock.now + patience
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            let isWoken = forCaller.wait(timeout: .now() + left.interval) == .success
            let question: Question? = state.withLock { state in
                switch state {
                case .asks(let question): return question
                case .working where !isWoken: state = .left
                case .working, .answered, .done, .left: break
                }
                return nil
            }
            guard let question else { return isDone }
            // A question that came in the moment when the time was over has signalled, too.
            if !isWoken { forCaller.wait() }
            let began = ContinuousClock.now
            let answer = asking(question)
            deadline += began.duration(to: .now)
            state.withLock { $0 = .answered(answer) }
            forWorker.signal()
        }
    }

    private var isDone: Bool {
        state.withLock { if case .done = $0 { true } else { false } }
    }
}

extension Duration {
    /// For the clocks of libdispatch.
    var interval: DispatchTimeInterval {
        let (seconds, rest) = components
        return .milliseconds(Int(clamping: seconds &* 1_000 &+ rest / 1_000_000_000_000_000))
    }
}
