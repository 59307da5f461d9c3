internal import AgentProtocol
internal import Dispatch
internal import Synchronization
internal import VaultKit

/// One client of the control socket.
///
/// Each request runs on a thread of its own, so that a cancellation, an answer or a disconnection is noticed while it
/// waits. A request that only reads the vault seldom waits, so it runs on the thread that reads the connection. If it
/// does wait, another thread continues reading.
final class ControlConnection: Sendable {
    private struct State {
        var running: [UInt32: ControlRequest] = [:]
        /// The raw frames of a request that has not arrived yet.
        var pending: [UInt32: PendingFrames] = [:]
        /// The memory shares of the secrets of a request, held until the response.
        var shares: [UInt32: [MemoryQuota.Share]] = [:]
        var newest: UInt32 = 0
        /// The threads whose response is not sent yet.
        ///
        /// There are more of them than requests only if the client does not read.
        var unfinished = 0
        /// Whether the client is connected and the agent is not stopping.
        var isServing = true
        /// The number of the thread that reads.
        var reader = 0
        /// The waiting request for which the client proved the vault's secret.
        var proved: UInt64?
    }

    let handler: ControlHandler
    let channel: FrameChannel
    private let connection: Connection
    private let state = Mutex(State())
    private let requests = DispatchGroup()
    /// Left when the client has disconnected.
    private let reading = DispatchGroup()

    init(_ connection: Connection, at handler: ControlHandler) {
        self.connection = connection
        self.handler = handler
        let peer = connection.peer
        channel = FrameChannel(
            socket: connection.socket,
            hears: { peer.hears($0) },
            stalls: { Blocking.tellWait() }
        )
    }

    /// Whether the client is connected and the agent is not stopping.
    var isServing: Bool { state.withLock { $0.isServing } && !handler.stopping.isCancelled }

    /// The waiting request that the client may answer, after it proved the vault's secret for it.
    var proved: UInt64? {
        get { state.withLock { $0.proved } }
        set { state.withLock { $0.proved = newValue } }
    }

    /// Serves until the client disconnects or violates the protocol.
    func run() {
        reading.enter()
        var caller: ControlCaller?
        do throws(FrameError) {
            let greeted = try greet()
            caller = greeted
            read(greeted, as: 0)
        } catch {
            end(error)
        }
        // Whether a process is the front of the message bus, and no other program can have sent its messages.
        reading.wait()
        requests.wait()
        if let caller { handler.parts.gate.endLeases(of: caller) }
    }

    /// Ends all waits of a client that disconnected or violated the protocol.
    private func end(_ error: FrameError) {
        explain(error)
        handler.front.leave(channel)
        let running = state.withLock { state in
            state.isServing = false
            return Array(state.running.values)
        }
        for request in running { request.interest.cancel() }
        // Threads that wait for the client to read a response must stop waiting.
        connection.hangUp()
        reading.leave()
    }

    /// Reads until the client disconnects, violates the protocol, or another thread reads.
    private func read(_ caller: ControlCaller, as reader: Int) {
        do throws(FrameError) {
            while state.withLock({ $0.reader == reader }) { try take(try next(), caller) }
        } catch {
            end(error)
        }
    }

    /// Lets another thread read, because this one is about to wait.
    private func passReading(_ caller: ControlCaller, from reader: Int) {
        let isMine = state.withLock { state in
            guard state.reader == reader else { return false }
            state.reader += 1
            return true
        }
        guard isMine else { return }
        do {
            try OwnThread.start("hsip-client") { [self] in read(caller, as: reader + 1) }
        } catch {
            // Nothing is read from the client until this request is done.
            state.withLock { $0.reader = reader }
        }
    }

    private func greet() throws(FrameError) -> ControlCaller {
        let frame = try channel.next(within: Int32(FrameLimits.firstFrame * 1_000)) {
            (header) throws(FrameError) in
            guard header.kind == .request, header.request == 0 else { throw .unexpected }
        }
        let hello = try frame.message(Greeting.self).hello
        // A client that sends nothing before its response keeps the identity that it has now.
        connection.peer.identify(on: connection.socket)
        if handler.isCrowded, !handler.parts.isOwnProgram(connection.peer) { try refuse(.crowded) }
        let mine = handler.parts.core.opener
        if hello.protocol != Hello.version { try refuse(.otherVersion) }
        if let vault = hello.vault, vault != mine.vaultPath { try refuse(.otherVault) }
        let peer = connection.peer
        if handler.parts.programs.isFront(peer.program), !handler.front.take(peer, channel) {
            try refuse(.providerTaken)
        }
        var answer = Hello(program: handler.parts.program, vault: mine.vaultPath, features: [Hello.items])
        // A client that sent a secret needs no prompt before its first call.
        answer.isLocked = handler.parts.core.isLocked
        try channel.send(answer.frames(.reply))
        // This runs while the response travels and the client prepares its request.
        connection.peer.lookUpwards()
        return ControlCaller(connection.peer, hello)
    }

    private func refuse(_ refusal: Refusal) throws(FrameError) -> Never {
        try send(0, error: .refused(refusal))
        throw .closed
    }

    private func next() throws(FrameError) -> Frame {
        // Secrets without a request must not stay in memory.
        let isWaiting = state.withLock { !$0.pending.isEmpty }
        return try channel.next(within: isWaiting ? Int32(FrameLimits.frame * 1_000) : -1) {
            (header) throws(FrameError) in
            switch header.kind {
            case .bytes, .data: try admit(header)
            case .request, .answer, .cancel: break
            case .reply, .error, .question, .event: throw .unexpected
            }
        }
    }

    /// Admits a raw frame within the limits of its request, and of all waiting requests.
    private func admit(_ header: FrameHeader) throws(FrameError) {
        let (running, pending, waiting) = state.withLock { state in
            (state.running[header.request], state.pending[header.request], state.pending.count)
        }
        if let running {
            try running.admit(header)
        } else {
            guard pending != nil || waiting == 0 else { throw .tooMuch }
            try (pending ?? PendingFrames()).admit(header)
        }
        guard header.kind == .bytes else { return }
        guard let share = handler.parts.quota.share(header.count) else {
            try send(header.request, error: .refused(.exhausted))
            throw .closed
        }
        state.withLock { $0.shares[header.request, default: []].append(share) }
    }

    private func take(_ frame: Frame, _ caller: ControlCaller) throws(FrameError) {
        let running = state.withLock { $0.running[frame.request] }
        switch frame.kind {
        case .bytes, .data:
            if let running {
                running.take(frame)
            } else {
                state.withLock { state in
                    // A frame for an ended request is useless.
                    guard frame.request > state.newest else {
                        state.shares[frame.request] = nil
                        return
                    }
                    state.pending[frame.request, default: PendingFrames()].take(frame)
                }
            }
        case .answer: try running?.answer(frame)
        case .cancel: running?.interest.cancel()
        case .request: try begin(frame, caller)
        case .reply, .error, .question, .event: throw .unexpected
        }
    }

    private func begin(_ frame: Frame, _ caller: ControlCaller) throws(FrameError) {
        let request = try frame.message(AgentRequest.self)
        let number = frame.request
        let isFree = state.withLock { state in
            guard number > state.newest, state.running.count < FrameLimits.requests,
                state.unfinished < 2 * FrameLimits.requests
            else { return false }
            state.newest = number
            return true
        }
        guard isFree else { throw .unexpected }
        let pending = state.withLock { $0.pending.removeValue(forKey: number) } ?? PendingFrames()
        let reader = request.isShort ? state.withLock { $0.reader } : nil
        guard let interest = try? Cancellation(under: [handler.stopping]) else {
            return try send(number, error: .refused(.exhausted))
        }
        let running = ControlRequest(number, request, pending, caller, interest, on: self)
        state.withLock { state in
            state.running[number] = running
            state.unfinished += 1
        }
        requests.enter()
        if let reader {
            Blocking.telling {
                self.passReading(caller, from: reader)
            } _: {
                serve(running, number)
            }
            // This thread lives long, and a secret must not stay on its stack.
            OwnThread.forget()
            return
        }
        do {
            try OwnThread.start("hsip-request") { [self] in serve(running, number) }
        } catch {
            state.withLock { state in
                state.running.removeValue(forKey: number)
                state.shares[number] = nil
                state.unfinished -= 1
            }
            requests.leave()
            try send(number, error: .refused(.exhausted))
        }
    }

    private func serve(_ running: ControlRequest, _ number: UInt32) {
        running.run()
        state.withLock { _ = $0.running.removeValue(forKey: number) }
        running.finish()
        state.withLock { state in
            state.shares[number] = nil
            state.unfinished -= 1
        }
        requests.leave()
    }

    /// Sends the reason why a request failed.
    func send(_ number: UInt32, error: AgentError) throws(FrameError) {
        try channel.send(Frame.message(.error, request: number, error))
    }

    /// Sends the error to a client that violated the protocol; a disconnected one gets nothing.
    private func explain(_ error: FrameError) {
        switch error {
        case .closed, .timeout, .io: return
        case .tooShort, .tooLong, .unknownKind, .malformed, .unexpected, .tooMuch, .outOfMemory, .stranger:
            try? send(0, error: .refused(.brokenProtocol))
        }
    }
}

extension AgentRequest {
    /// Whether the request only reads the vault for a program on the bus, which seldom waits.
    fileprivate var isShort: Bool {
        if case .call(let operation, .some) = self { !OperationTable.changesItems(operation) } else { false }
    }
}
