internal import AgentProtocol
internal import Dispatch
internal import Synchronization
internal import VaultKit

/// One client of the control socket.
///
/// A request runs on a thread of its own, so that a cancel, an answer or a hang-up is heard while it waits. A request that
/// only reads the vault seldom waits: it runs on the thread that reads the connection. If it does wait, another thread goes
/// on reading.
final class ControlConnection: Sendable {
    private struct State {
        var running: [UInt32: ControlRequest] = [:]
        /// Raw frames of a request that has not come yet.
        var pending: [UInt32: PendingFrames] = [:]
        /// The room that the secrets of a request take until it is answered.
        var shares: [UInt32: [MemoryQuota.Share]] = [:]
        var newest: UInt32 = 0
        /// Threads whose reply is not sent yet: more than the requests only where the client does not read.
        var unfinished = 0
        /// Whether the client still listens, and the agent does not stop.
        var isServing = true
        /// Counts the threads that read, one after the other.
        var reader = 0
        /// The waiting request for which the client showed the vault's secret.
        var proved: UInt64?
    }

    let handler: ControlHandler
    let channel: FrameChannel
    private let connection: Connection
    private let state = Mutex(State())
    private let requests = DispatchGroup()
    /// Left when the client has hung up.
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

    /// Whether the client still listens: what is over then is over by its own word.
    var isServing: Bool { state.withLock { $0.isServing } && !handler.stopping.isCancelled }

    /// The waiting request that the client may answer: it showed the vault's secret for it.
    var proved: UInt64? {
        get { state.withLock { $0.proved } }
        set { state.withLock { $0.proved = newValue } }
    }

    /// Serves until the client hangs up or breaks the rules.
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
        // Another thread may read by now.
        reading.wait()
        requests.wait()
        if let caller { handler.parts.gate.endLeases(of: caller) }
    }

    /// The client has hung up or broke the rules: what it waits for ends, too.
    private func end(_ error: FrameError) {
        explain(error)
        handler.front.leave(channel)
        let running = state.withLock { state in
            state.isServing = false
            return Array(state.running.values)
        }
        for request in running { request.interest.cancel() }
        // Anyone who waits for the client to take a reply must not wait any longer.
        connection.hangUp()
        reading.leave()
    }

    /// Reads until the client hangs up, breaks the rules, or another thread reads.
    private func read(_ caller: ControlCaller, as reader: Int) {
        do throws(FrameError) {
            while state.withLock({ $0.reader == reader }) { try take(try next(), caller) }
        } catch {
            end(error)
        }
    }

    /// Lets another thread read: this one is about to wait for something.
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
            // Nobody hears the client until this request is done.
            state.withLock { $0.reader = reader }
        }
    }

    private func greet() throws(FrameError) -> ControlCaller {
        let frame = try channel.next(within: Int32(FrameLimits.firstFrame * 1_000)) {
            (header) throws(FrameError) in
            guard header.kind == .request, header.request == 0 else { throw .unexpected }
        }
        let hello = try frame.message(Greeting.self).hello
        // A client that sends nothing more before it was answered is from here on what it is now.
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
        // Who brought a secret of its own along need not ask before its first call.
        answer.isLocked = handler.parts.core.isLocked
        try channel.send(answer.frames(.reply))
        // While the answer travels, and the client makes up its request.
        connection.peer.lookUpwards()
        return ControlCaller(connection.peer, hello)
    }

    private func refuse(_ refusal: Refusal) throws(FrameError) -> Never {
        try send(0, error: .refused(refusal))
        throw .closed
    }

    private func next() throws(FrameError) -> Frame {
        // Secrets that nothing follows must not stay for ever.
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

    /// A raw frame is admitted within the limits of what it belongs to, and of what waits in all.
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
                    // What comes for a request that is over is of no use to anybody.
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

    /// Says why a request was not done.
    func send(_ number: UInt32, error: AgentError) throws(FrameError) {
        try channel.send(Frame.message(.error, request: number, error))
    }

    /// The last word to a client that broke the rules; one that is gone hears nothing.
    private func explain(_ error: FrameError) {
        switch error {
        case .closed, .timeout, .io: return
        case .tooShort, .tooLong, .unknownKind, .malformed, .unexpected, .tooMuch, .outOfMemory, .stranger:
            try? send(0, error: .refused(.brokenProtocol))
        }
    }
}

extension AgentRequest {
    /// Whether it only reads the vault for a program on the bus, which seldom has to wait.
    fileprivate var isShort: Bool {
        if case .call(let operation, .some) = self { !OperationTable.changesItems(operation) } else { false }
    }
}
