internal import Dispatch
internal import Synchronization
package import VaultCrypto

/// A connection to the agent over which many requests run at the same time, for a program that asks no person itself.
package final class AgentLink: Sendable {
    private struct State {
        var next: UInt32 = 1
        var waiting: [UInt32: Waiting] = [:]
        /// Why there will be no more answers.
        var end: AgentError?
    }

    private struct Waiting {
        let continuation: CheckedContinuation<Result<AgentClient.Answered, AgentError>, Never>
        let asking: @Sendable () -> Void
        var pending = PendingFrames()
    }

    /// Requests that may run at the same time.
    package static let maximum = FrameLimits.requests

    /// The agent's greeting.
    package let agent: Hello
    private let socket: LocalSocket
    private let channel: FrameChannel
    private let state = Mutex(State())

    /// Connects and greets.
    ///
    /// - Parameters:
    ///   - path: of the control socket.
    ///   - hello: the client's greeting, which does not say that questions may travel back.
    ///   - showing: runs the greeting as a process that others of the same user can look at.
    ///   - heard: told of events that belong to no request, on the thread that reads.
    ///   - ended: told once that the connection has ended, on that thread.
    /// - Throws: as a client's connection.
    package init(
        _ path: String,
        hello: Hello,
        showing: (AgentClient.Greet) throws(AgentError) -> Hello,
        heard: @escaping @Sendable (AgentEvent) -> Void,
        ended: @escaping @Sendable () -> Void = {}
    ) throws(AgentError) {
        let socket = try LocalSocket(connecting: path)
        let channel = FrameChannel(socket: socket.descriptor)
        agent = try showing { () throws(AgentError) in try AgentClient.greet(channel, hello) }
        (self.socket, self.channel) = (socket, channel)
        DispatchQueue(label: "io.hsip.agent.link").async { [self] in
            read(heard)
            ended()
        }
    }

    /// How many requests run; nil when the connection has ended.
    package var running: Int? {
        state.withLock { $0.end == nil ? $0.waiting.count : nil }
    }

    /// Asks for something; a task that is cancelled says so to the agent, and still waits for its word.
    ///
    /// `asking` is told, on the thread that reads, when the agent waits for a person because of it.
    package func request(
        _ request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = [],
        asking: @escaping @Sendable () -> Void = {}
    ) async throws(AgentError) -> AgentClient.Answered {
        let number = Atomic<UInt32>(0)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(number, request, secrets, data, Waiting(continuation: continuation, asking: asking))
                if Task.isCancelled { cancel(number.load(ordering: .acquiring)) }
            }
        } onCancel: {
            cancel(number.load(ordering: .acquiring))
        }
        return try result.get()
    }

    /// One that is gone, or was not sent so far, hears nothing.
    private func cancel(_ number: UInt32) {
        guard number > 0 else { return }
        try? channel.send([Frame(.cancel, request: number)])
    }

    /// Numbers leave in their order: the next one is taken by the thread that sends it.
    private func begin(
        _ number: borrowing Atomic<UInt32>,
        _ request: AgentRequest,
        _ secrets: [Secret],
        _ data: [UInt8],
        _ waiting: Waiting
    ) {
        let refused: AgentError? = state.withLock { state in
            if let end = state.end { return end }
            guard state.waiting.count < Self.maximum else { return .refused(.exhausted) }
            let taken = state.next
            state.next += 1
            state.waiting[taken] = waiting
            do throws(FrameError) {
                var frames = try PendingFrames.frames(secrets: secrets, data: data, request: taken)
                frames.append(Frame(.request, request: taken, try request.encoded()))
                try channel.send(frames)
                number.store(taken, ordering: .releasing)
                return nil
            } catch {
                state.waiting[taken] = nil
                return error == .tooMuch ? .refused(.requestTooLarge) : .lost(error)
            }
        }
        if let refused { waiting.continuation.resume(returning: .failure(refused)) }
    }

    /// Ends the connection, which lives until then: what waits for an answer hears that there will be none.
    package func close() { socket.hangUp() }

    private func read(_ heard: (AgentEvent) -> Void) {
        do throws(FrameError) {
            while true { try take(try next(), heard) }
        } catch {
            let waiting = state.withLock { state in
                state.end = .lost(error)
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for one in waiting { one.continuation.resume(returning: .failure(.lost(error))) }
        }
    }

    private func next() throws(FrameError) -> Frame {
        try channel.next { (header) throws(FrameError) in
            guard header.kind == .bytes || header.kind == .data else { return }
            try state.withLock { state throws(FrameError) in
                guard let waiting = state.waiting[header.request] else { throw .unexpected }
                try waiting.pending.admit(header)
            }
        }
    }

    private func take(_ frame: Frame, _ heard: (AgentEvent) -> Void) throws(FrameError) {
        switch frame.kind {
        case .bytes, .data: state.withLock { $0.waiting[frame.request]?.pending.take(frame) }
        case .event:
            guard let event = try? AgentEvent(encoded: frame.plain) else { return }
            guard frame.request > 0 else { return heard(event) }
            if event.event == .waiting { state.withLock { $0.waiting[frame.request]?.asking }?() }
        case .reply:
            try finish(frame) { (pending) throws(FrameError) in
                .success(AgentClient.Answered(reply: try AgentReply(encoded: frame.plain), pending: pending))
            }
        case .error:
            try finish(frame) { (_) throws(FrameError) in
                .failure(try AgentError(encoded: frame.plain))
            }
        case .question, .request, .answer, .cancel: throw .unexpected
        }
    }

    private func finish(
        _ frame: Frame,
        _ result: (PendingFrames) throws(FrameError) -> Result<AgentClient.Answered, AgentError>
    ) throws(FrameError) {
        // The agent's last word to a client that broke the rules has no number of a request.
        guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: frame.request) }) else {
            throw .closed
        }
        do throws(FrameError) {
            waiting.continuation.resume(returning: try result(waiting.pending))
        } catch {
            waiting.continuation.resume(returning: .failure(.lost(error)))
            throw error
        }
    }
}
