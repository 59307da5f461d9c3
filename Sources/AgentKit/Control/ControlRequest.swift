internal import AgentProtocol
internal import Synchronization
internal import VaultKit

/// One request on its own thread: done, answered once, and then gone.
final class ControlRequest: Sendable {
    /// Over when the client cancels, hangs up, or the agent stops.
    let interest: Cancellation
    private let number: UInt32
    private let request: AgentRequest
    private let bag: FrameBag
    private let caller: ControlCaller
    private let connection: ControlConnection
    private let prompter: ConnectionPrompter
    private let reply = Mutex<[Frame]>([])

    init(
        _ number: UInt32,
        _ request: AgentRequest,
        _ bag: FrameBag,
        _ caller: ControlCaller,
        _ interest: Cancellation,
        on connection: ControlConnection
    ) {
        self.number = number
        self.request = request
        self.bag = bag
        self.caller = caller
        self.interest = interest
        self.connection = connection
        prompter = ConnectionPrompter(connection.channel, request: number)
    }

    /// Refuses a raw frame that no question waits for.
    func admit(_ header: FrameHeader) throws(FrameError) { try prompter.admit(header) }

    /// Takes a raw frame of an answer.
    func take(_ frame: Frame) { prompter.take(frame) }

    /// Takes an answer; one to no question is passed over, as the question may have ended meanwhile.
    func answer(_ text: AnswerText) throws(FrameError) { try prompter.answer(text) }

    /// Does what is asked, up to the reply, which `finish` sends.
    func run() {
        let desk = connection.desk
        let frames: [Frame]
        do throws(AgentError) {
            // A stop does not wait for itself.
            if request == .stop {
                frames = try perform()
            } else {
                frames = try desk.work { () throws(AgentError) in try perform() }
            }
        } catch {
            frames = Self.frames(of: error, number)
        }
        reply.withLock { $0 = frames }
    }

    /// Sends the reply, after the request's number no longer counts as running.
    func finish() {
        let frames = reply.withLock { frames in
            defer { frames = [] }
            return frames
        }
        try? connection.channel.send(frames)
        if request == .stop { connection.desk.parts.ended() }
    }

    private func perform() throws(AgentError) -> [Frame] {
        let desk = connection.desk
        let core = desk.parts.core
        switch request {
        case .hello: throw .refused(.brokenProtocol)
        case .status: break
        case .unlock(let unlocking): try unlock(unlocking, core)
        case .terminal:
            let given = bag.secrets.count == 1 ? bag.secrets.first : nil
            if given == nil, !core.isLocked, desk.parts.isOwn(caller.peer), desk.parts.returns(caller) {
                break
            }
            _ = try core.prove(given, asking: asker, by: caller.peer, interest) { desk.parts.opened(caller) }
        case .lock:
            guard core.lock(.request) else { throw .refused(.stillUsed) }
            return try frames(.done)
        case .stop:
            desk.stop()
            return try frames(.done)
        case .call(let operation):
            let call = VaultCall(operation: operation, arguments: bag.data, secrets: bag.secrets)
            let answer = try CallDesk(desk.parts, caller, asking).answer(call, interest)
            return try frames(.answer, answer)
        }
        return try frames(.status(desk.status()))
    }

    private func unlock(_ unlocking: Unlocking, _ core: AgentCore) throws(AgentError) {
        let (seconds, peer) = (unlocking.seconds, caller.peer)
        switch unlocking.source {
        case .ask: _ = try core.unlock(asking: asker, for: seconds, by: peer, interest)
        case .unattended: _ = try core.unlock(asking: nil, for: seconds, by: peer, interest)
        case .given:
            guard bag.secrets.count == 1, let secret = bag.secrets.first else {
                throw .refused(.brokenProtocol)
            }
            _ = try core.unlock(with: secret, for: seconds, by: peer, interest) {
                connection.desk.parts.opened(caller)
            }
        }
    }

    /// How the caller's person is asked.
    private var asking: (any Prompter)? {
        switch caller.hello.asks {
        case .terminal: prompter
        case .agent: connection.desk.parts.prompter(caller)
        case .nobody: nil
        }
    }

    private var asker: (any UnlockAsker)? {
        asking.map { PrompterAsker($0, for: caller, connection.desk.parts) }
    }

    private func frames(_ reply: AgentReply, _ answer: VaultAnswer? = nil) throws(AgentError) -> [Frame] {
        do throws(FrameError) {
            var frames = try FrameBag.frames(
                secrets: answer?.secrets ?? [],
                data: answer?.result ?? [],
                request: number
            )
            frames.append(Frame(.reply, request: number, try reply.encoded()))
            return frames
        } catch {
            throw .refused(.tooLarge)
        }
    }

    private static func frames(of error: AgentError, _ number: UInt32) -> [Frame] {
        guard let text = try? error.encoded() else { return [] }
        return [Frame(.error, request: number, text)]
    }
}
