internal import AgentProtocol
internal import Glibc
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// One request on its own thread: it is processed and answered once.
final class ControlRequest: Sendable {
    /// Ends when the client cancels or disconnects, or the agent stops.
    let interest: Cancellation
    private let number: UInt32
    private let request: AgentRequest
    let pending: PendingFrames
    let caller: ControlCaller
    let connection: ControlConnection
    private let prompter: ConnectionPrompter
    private let reply = Mutex<[Frame]>([])

    init(
        _ number: UInt32,
        _ request: AgentRequest,
        _ pending: PendingFrames,
        _ caller: ControlCaller,
        _ interest: Cancellation,
        on connection: ControlConnection
    ) {
        self.number = number
        self.request = request
        self.pending = pending
        self.caller = caller
        self.interest = interest
        self.connection = connection
        prompter = ConnectionPrompter(connection.channel, request: number)
    }

    /// Refuses a raw frame for which no prompt is waiting.
    func admit(_ header: FrameHeader) throws(FrameError) { try prompter.admit(header) }

    /// Takes a raw frame of an answer.
    func take(_ frame: Frame) { prompter.take(frame) }

    /// Takes an answer; one to no question is passed over, as the question may have ended meanwhile.
    func answer(_ frame: Frame) throws(FrameError) { try prompter.answer(frame) }

    /// Does what is asked, up to the reply, which `finish` sends.
    func run() {
        let handler = connection.handler
        let frames: [Frame]
        do throws(AgentError) {
            // A stop does not wait for itself.
            if request == .stop {
                frames = try perform()
            } else {
                frames = try handler.work { () throws(AgentError) in try perform() }
            }
        } catch {
            frames = (try? Frame.message(.error, request: number, error)) ?? []
        }
        reply.withLock { $0 = frames }
    }

    /// Sends the response, after its number was released for new requests.
    func finish() {
        let frames = reply.withLock { frames in
            defer { frames = [] }
            return frames
        }
        try? connection.channel.send(frames)
        if request == .stop { connection.handler.parts.ended() }
    }

    private func perform() throws(AgentError) -> [Frame] {
        let handler = connection.handler
        let core = handler.parts.core
        let program = try program()
        switch request {
        case .status: break
        case .unlock(let source, let seconds, let slot, let lastTries, _):
            try unlock(source, seconds, slot, lastTries == true, program, core)
        case .terminal:
            let given = pending.secrets.count == 1 ? pending.secrets.first : nil
            if given == nil, !core.isLocked, handler.parts.isOwn(caller.peer), handler.parts.returns(caller) {
                break
            }
            _ = try core.prove(given, asking: asker, by: caller.peer, interest) {
                handler.parts.proved(caller)
            }
        case .lock:
            handler.parts.gate.lockComes(by: program?.requester ?? request.behalf.map(Self.ended))
            guard core.lock(.request) else { throw .refused(.stillUsed) }
            return try frames(.done)
        case .blocked(let clears):
            guard handler.parts.isOwn(caller.peer) else { throw .refused(.onlyByOwn) }
            let (programs, refusals) = handler.parts.gate.limiter.blocked()
            if clears { handler.parts.gate.limiter.unblockAll() }
            return try frames(.blocked(programs: programs, refused: refusals))
        case .lease(let lease):
            guard handler.parts.isOwn(caller.peer), caller.hello.asks == .terminal, !isLeased else {
                throw .refused(.leaseNeedsPerson)
            }
            _ = try core.unlock(asking: asker, by: caller.peer, interest)
            let number: UInt64
            do throws(Refusal) { number = try handler.parts.gate.lease(lease, to: caller) } catch {
                throw .refused(error)
            }
            return try frames(.lease(number: number))
        case .leases:
            guard handler.parts.isOwn(caller.peer) else { throw .refused(.onlyByOwn) }
            return try frames(.leases(handler.parts.gate.leases.list(at: BootTime.now())))
        case .endLease(let number):
            guard handler.parts.isOwn(caller.peer) else { throw .refused(.onlyByOwn) }
            do throws(Refusal) { try handler.parts.gate.endLease(number, by: caller) } catch {
                throw .refused(error)
            }
            return try frames(.done)
        case .requests: return try frames(.requests(try requests()))
        case .answerRequest(let number, let answer):
            try answerRequest(number, answer)
            return try frames(.done)
        case .stop:
            handler.stop()
            return try frames(.done)
        case .call(let operation, _):
            let call = VaultCall(operation: operation, arguments: pending.data, secrets: pending.secrets)
            let asked = CallHandler(handler.parts, caller, asking, program == nil ? asker : nil)
            let answer = try asked.answer(call, for: program, interest)
            if program == nil, OperationTable.changesItems(operation) {
                handler.front.tell(AgentEvent(ItemNews(of: operation, answer)))
            }
            return try frames(.answer, answer)
        }
        return try frames(.status(handler.status()))
    }

    /// Returns the program on the bus for which a front asks; nil for any other client.
    ///
    /// - Throws: `policyRefused` for an operation that a front may not request, and if another program claims to be a
    ///   front.
    private func program() throws(AgentError) -> BusCaller? {
        guard connection.handler.parts.isFront(caller.peer) else {
            guard request.behalf == nil else { throw .refused(.onlyByFront) }
            return nil
        }
        let isAllowed =
            switch request {
            case .status, .lock: true
            case .unlock(let source, _, _, _, let behalf): source == .ask && behalf != nil
            case .call(let operation, let behalf): behalf != nil && operation.utf8.starts(with: "item.".utf8)
            case .stop, .terminal, .blocked, .lease, .leases, .endLease, .requests, .answerRequest: false
            }
        guard isAllowed else { throw .refused(.notForFront) }
        guard let behalf = request.behalf else { return nil }
        let program = BusCaller(
            behalf,
            known: connection.handler.known,
            hasLeft: { [connection] in connection.isServing }
        ) { [number, connection] in
            try? connection.channel.send(AgentEvent(event: .waiting).frames(number))
        }
        // A lock does not need a running program.
        if program == nil, case .lock = request { return nil }
        guard let program else { throw .refused(.programEnded) }
        return program
    }

    /// Returns the requester of a lock that has ended: in any case a program on the bus.
    private static func ended(_ behalf: Behalf) -> Requester {
        Requester(uid: geteuid(), pid: behalf.pid, bus: BusProgram(identity: nil, start: behalf.start))
    }

    private func unlock(
        _ source: UnlockSource,
        _ seconds: Int?,
        _ slot: UInt32?,
        _ takesLastTry: Bool,
        _ program: BusCaller?,
        _ core: AgentCore
    ) throws(AgentError) {
        let peer = caller.peer
        core.lockOutdated()
        switch source {
        case .ask:
            if let program {
                _ = try connection.handler.parts.unlock(for: program, caller, asking, interest)
            } else {
                _ = try core.unlock(asking: asker, for: seconds, by: peer, interest)
            }
        case .unattended: _ = try core.unlock(asking: nil, for: seconds, by: peer, interest)
        case .given:
            let secret = pending.secrets.first
            guard pending.secrets.count <= 1, secret != nil || slot != nil else {
                throw .refused(.brokenProtocol)
            }
            let device = slot.map { SlotPIN(slot: $0, takesLastTry: takesLastTry) }
            _ = try core.unlock(with: secret, slot: device, for: seconds, by: peer, interest) {
                connection.handler.parts.proved(caller)
            }
        }
    }

    /// The prompter for the caller's person; nil for a command inside a lease.
    private var asking: (any Prompter)? {
        guard !isLeased else { return nil }
        return switch caller.hello.asks {
        case .terminal: prompter
        case .agent: connection.handler.parts.prompter(caller).map { announced($0) }
        case .nobody: nil
        }
    }

    var isLeased: Bool { connection.handler.parts.gate.leases.lease(of: caller.peer) != nil }

    /// Returns a prompter that tells hsip itself where its prompt appears; other clients are not told.
    private func announced(_ prompter: any Prompter) -> any Prompter {
        guard connection.handler.parts.isOwn(caller.peer) else { return prompter }
        return AnnouncingPrompter(prompter) { [self] isPassphrase in
            // The console asks for passphrases only.
            guard let spot, isPassphrase || spot.place != .console else { return }
            tell(AgentEvent(askingAt: spot.place, spot.at))
        }
    }

    /// The place where the agent itself asks at present.
    private var spot: QuestionSpot? {
        let status = connection.handler.status()
        return QuestionSpot(status.questions, status.questionsAt)
    }

    var asker: (any UnlockAsker)? {
        let parts = connection.handler.parts
        return asking.map { prompter in
            PrompterAsker(prompter, for: caller, parts, spot: { [self] in spot }) { [self] spot in
                // Only hsip itself is told the place.
                if let spot, parts.isOwn(caller.peer) {
                    tell(AgentEvent(askingAt: spot.place, spot.at))
                } else if caller.hello.asks == .terminal {
                    tell(AgentEvent(event: .waiting))
                }
            }
        }
    }

    /// Sends the client an event besides the response; a disconnected client gets nothing.
    private func tell(_ event: AgentEvent) {
        try? connection.channel.send(event.frames(number))
    }

    private func frames(_ reply: AgentReply, _ answer: VaultAnswer? = nil) throws(AgentError) -> [Frame] {
        do throws(FrameError) {
            var frames = try news()
            frames += try PendingFrames.frames(
                secrets: answer?.secrets ?? [],
                data: answer?.result ?? [],
                request: number
            )
            return try frames + Frame.message(.reply, request: number, reply)
        } catch {
            throw .refused(.tooLarge)
        }
    }

    /// Returns events for hsip itself besides the response, once.
    private func news() throws(FrameError) -> [Frame] {
        let parts = connection.handler.parts
        guard parts.isOwn(caller.peer), parts.core.openVault?.takeRootReturn() == true else { return [] }
        return try AgentEvent(event: .rootPutBack).frames(number)
    }
}
