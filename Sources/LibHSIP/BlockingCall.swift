internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// Work that runs on threads of the library while its caller waits; its questions are asked in the waiting thread.
///
/// The waiting thread belongs to the host program, so it may be blocked; Swift's threads never are.
final class BlockingCall<Value: Sendable>: Sendable {
    private enum State {
        case working
        case asks(Question)
        case answered(Answer)
        case done(Result<Value, any Error>)
        /// The caller no longer waits.
        case left
    }

    private let state = Mutex(State.working)
    private let forCaller = DispatchSemaphore(value: 0)
    private let forWorker = DispatchSemaphore(value: 0)

    /// Asks the person through the caller; the working thread calls this and waits.
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

    /// Reports the result of the work to the caller.
    ///
    /// - Returns: False if the caller no longer waits.
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

    /// Waits for the result, and asks the questions that come meanwhile, whose time is not counted.
    ///
    /// - Throws: The error of the work; `busy` if the time ended before the work.
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
            // A question that came just at the deadline has signalled, too.
            if !isWoken { forCaller.wait() }
            let began = ContinuousClock.now
            let answer = asking(question)
            deadline += began.duration(to: .now)
            state.withLock { $0 = .answered(answer) }
            forWorker.signal()
        }
    }
}

/// Passes questions of the vault to the current call.
final class Asker: AgentCaller {
    private let current = Mutex<(@Sendable (Question) -> Answer)?>(nil)

    /// Sets the call that gets the questions from now on; nil if no call runs.
    func serve(_ ask: (@Sendable (Question) -> Answer)?) { current.withLock { $0 = ask } }

    /// Asks the question, and waits for the person's answer.
    func answer(_ question: Question) -> Answer {
        guard let ask = current.withLock({ $0 }) else { return .nobody }
        return ask(question)
    }
}

extension Duration {
    /// The duration for the clocks of libdispatch.
    var interval: DispatchTimeInterval {
        let (seconds, rest) = components
        return .milliseconds(Int(clamping: seconds &* 1_000 &+ rest / 1_000_000_000_000_000))
    }
}
