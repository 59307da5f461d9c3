internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// Work for a caller who waits: it is done on threads of ours, and its questions are asked in the thread that waits.
///
/// The waiting thread belongs to the host program, so it may be blocked; Swift's threads never are.
final class BlockingCall<Value: Sendable>: Sendable {
    private enum State {
        case working
        case asks(Question)
        case answered(Answer)
        case done(Result<Value, any Error>)
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

    /// Says that the work is done.
    ///
    /// - Returns: false when the caller waits no longer.
    @discardableResult
    func finish(_ result: Result<Value, any Error>) -> Bool {
        let isHeard = state.withLock { state in
            if case .left = state { return false }
            state = .done(result)
            return true
        }
        if isHeard { forCaller.signal() }
        return isHeard
    }

    /// Waits for the end, and asks what is asked meanwhile; the time for that is not counted.
    ///
    /// - Throws: what the work threw; `busy` when the time was over before the work.
    func wait(_ patience: Duration, asking: (Question) -> Answer) throws -> Value {
        var deadline = ContinuousClock.now + patience
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            let isWoken = forCaller.wait(timeout: .now() + left.interval) == .success
            let (question, result): (Question?, Result<Value, any Error>?) = state.withLock { state in
                switch state {
                case .asks(let question): return (question, nil)
                case .done(let result): return (nil, result)
                case .working, .answered, .left:
                    if !isWoken { state = .left }
                    return (nil, isWoken ? nil : .failure(LibraryError.busy))
                }
            }
            if let result { return try result.get() }
            guard let question else { continue }
            // A question that came in the moment when the time was over has signalled, too.
            if !isWoken { forCaller.wait() }
            let began = ContinuousClock.now
            let answer = asking(question)
            deadline += began.duration(to: .now)
            state.withLock { $0 = .answered(answer) }
            forWorker.signal()
        }
    }
}

/// Brings questions of the vault to the call that is being done.
final class Asker: AgentCaller {
    private let current = Mutex<(@Sendable (Question) -> Answer)?>(nil)

    /// From now on questions belong to this call; nil for none.
    func serve(_ ask: (@Sendable (Question) -> Answer)?) { current.withLock { $0 = ask } }

    /// Asks, and waits for the person.
    func answer(_ question: Question) -> Answer {
        guard let ask = current.withLock({ $0 }) else { return .nobody }
        return ask(question)
    }
}

extension Duration {
    /// For the clocks of libdispatch.
    var interval: DispatchTimeInterval {
        let (seconds, rest) = components
        return .milliseconds(Int(clamping: seconds &* 1_000 &+ rest / 1_000_000_000_000_000))
    }
}
