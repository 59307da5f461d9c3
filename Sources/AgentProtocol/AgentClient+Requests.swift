internal import Dispatch
internal import Synchronization
public import VaultCrypto

extension AgentClient {
    /// Sends a request and waits for the reply.
    ///
    /// With `polled` reading, a cancelled task sends the cancellation to the agent, and still waits for the reply.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - secrets: The secrets that belong to it.
    ///   - data: The encoded arguments.
    ///   - asking: Called on the reading thread when the agent reports that it waits for a person because of the request.
    /// - Returns: The reply, with its raw frames.
    /// - Throws: The error that the agent sent, or the reason that no reply arrived.
    public func request(
        _ request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = [],
        asking: @escaping @Sendable () -> Void = {}
    ) async throws(AgentError) -> Answered {
        if let queue { return try await wait(for: request, secrets, data, asking, on: queue) }
        guard case .polled = reading else {
            return try wait(for: request, secrets: secrets, data: data, asking: asking)
        }
        let number = Atomic<UInt32>(0)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiting = Waiting(continuation: continuation, asking: asking)
                do throws(AgentError) {
                    number.store(try begin(request, secrets, data, waiting), ordering: .releasing)
                } catch {
                    return continuation.resume(returning: .failure(error))
                }
                if Task.isCancelled { cancel(number.load(ordering: .acquiring)) }
            }
        } onCancel: {
            cancel(number.load(ordering: .acquiring))
        }
        return try result.get()
    }

    /// Sends a request and blocks the thread until the reply arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - secrets: The secrets that belong to it.
    ///   - data: The encoded arguments.
    ///   - asking: Called when the agent reports that it waits for a person because of the request.
    /// - Returns: The reply, with its raw frames.
    /// - Throws: The error that the agent sent, or the reason that no reply arrived.
    public func wait(
        for request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = [],
        asking: @escaping @Sendable () -> Void = {}
    ) throws(AgentError) -> Answered {
        let number = try begin(request, secrets, data, Waiting(asking: asking))
        while true {
            let result = state.withLock { state -> Result<Answered, AgentError>? in
                guard let result = state.waiting[number]?.result else { return nil }
                state.waiting[number] = nil
                return result
            }
            if let result { return try result.get() }
            _ = readNext()
        }
    }

    /// Sends a request and waits for the reply on a queue.
    ///
    /// The function is not inlined, so that a program with `inPlace` reading starts without it.
    @inline(never)
    private func wait(
        for request: AgentRequest,
        _ secrets: [Secret],
        _ data: [UInt8],
        _ asking: @escaping @Sendable () -> Void,
        on queue: DispatchQueue
    ) async throws(AgentError) -> Answered {
        let result = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let result: Result<Answered, AgentError>
                do throws(AgentError) {
                    result = .success(try wait(for: request, secrets: secrets, data: data, asking: asking))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// Sends a request.
    ///
    /// The number is assigned and sent under one lock, so numbers are sent in their order.
    ///
    /// - Returns: The number of the request.
    private func begin(
        _ request: AgentRequest,
        _ secrets: [Secret],
        _ data: [UInt8],
        _ waiting: Waiting
    ) throws(AgentError) -> UInt32 {
        try state.withLock { state throws(AgentError) in
            if let end = state.end { throw end }
            guard state.waiting.count < Self.maximum else { throw .refused(.exhausted) }
            let number = state.next
            state.next &+= 1
            state.waiting[number] = waiting
            do throws(FrameError) {
                var frames = try PendingFrames.frames(secrets: secrets, data: data, request: number)
                frames += try Frame.message(.request, request: number, request)
                try channel.send(frames)
            } catch .closed {
                // An agent that hangs up during a request may have sent the reason; the reader still finds that reply.
                socket.hangUp()
            } catch {
                state.waiting[number] = nil
                guard error != .tooMuch else { throw .refused(.requestTooLarge) }
                state.end = .lost(error)
                socket.hangUp()
                throw .lost(error)
            }
            return number
        }
    }

    /// Sends the cancellation of a request; does nothing for number 0, a request that was not sent yet.
    ///
    /// If the cancellation cannot be sent, the channel is broken, and the connection ends.
    private func cancel(_ number: UInt32) {
        guard number > 0 else { return }
        do throws(FrameError) {
            try channel.send([Frame(.cancel, request: number)])
        } catch {
            socket.hangUp()
        }
    }

    // MARK: Reading

    /// True if a frame has begun to arrive, or the connection has ended.
    package var hasInput: Bool { channel.waits(0) }

    /// Waits for one frame and handles it; a frame must be complete ten seconds after its first byte.
    ///
    /// - Returns: False if the connection has ended; requests without a reply have failed then.
    package func readNext() -> Bool {
        do throws(FrameError) {
            let frame = try channel.next { (header) throws(FrameError) in
                guard header.kind == .bytes || header.kind == .data else { return }
                try state.withLock { state throws(FrameError) in
                    guard let waiting = state.waiting[header.request] else { throw .unexpected }
                    try waiting.pending.admit(header)
                }
            }
            try take(frame)
            return true
        } catch {
            let numbers = state.withLock { state in
                state.end = .lost(error)
                return Array(state.waiting.keys)
            }
            for number in numbers { finish(number) { _ in .failure(.lost(error)) } }
            return false
        }
    }

    private func take(_ frame: Frame) throws(FrameError) {
        switch frame.kind {
        case .bytes, .data: state.withLock { $0.waiting[frame.request]?.pending.take(frame) }
        case .event:
            guard let event = try? frame.message(AgentEvent.self) else { return }
            caller?.hear(event)
            if case .polled(let heard) = reading, frame.request == 0 { heard(event) }
            if event.event == .waiting { state.withLock { $0.waiting[frame.request]?.asking }?() }
        case .question: try answer(frame)
        case .reply:
            let reply = try frame.message(AgentReply.self)
            guard finish(frame.request, { .success(Answered(reply: reply, pending: $0)) }) else {
                throw .closed
            }
        case .error:
            let error = try frame.message(AgentError.self)
            // The agent's last error to a client that broke the protocol has no request's number.
            guard finish(frame.request, { _ in .failure(error) }) else { throw .closed }
        case .request, .answer, .cancel: throw .unexpected
        }
    }

    /// Stores the result of a request, or resumes its task; returns false if no such request waits.
    @discardableResult
    private func finish(
        _ number: UInt32,
        _ result: (PendingFrames) -> Result<Answered, AgentError>
    ) -> Bool {
        let waiting = state.withLock { state -> Waiting? in
            guard let waiting = state.waiting[number], waiting.result == nil else { return nil }
            if waiting.continuation == nil {
                state.waiting[number]?.result = result(waiting.pending)
            } else {
                state.waiting[number] = nil
            }
            return waiting
        }
        guard let waiting else { return false }
        waiting.continuation?.resume(returning: result(waiting.pending))
        return true
    }

    private func answer(_ frame: Frame) throws(FrameError) {
        guard state.withLock({ $0.waiting[frame.request] != nil }) else { throw .unexpected }
        let question = try frame.message(Question.self)
        let answer =
            switch question.kind {
            // The reply to the request ends the wait for a touch.
            case .touch: caller?.touch(question, until: socket.descriptor)
            default: caller?.answer(question)
            }
        try channel.send(Frame.message(.answer, request: frame.request, answer ?? .nobody))
    }
}
