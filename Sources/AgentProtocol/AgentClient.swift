internal import Dispatch
internal import Synchronization
public import VaultCrypto
public import VaultKit

/// A connection to the agent: it sends requests, gives answers to the tasks that wait for them, and has questions shown.
public final class AgentClient: VaultCarrier {
    /// What came back: the reply, and the raw frames before it.
    public struct Answered: Sendable {
        /// The reply.
        public let reply: AgentReply
        /// Secrets and data that belong to it.
        public let pending: PendingFrames
    }

    /// Which thread reads what the agent sends.
    public enum Reading: Sendable {
        /// The thread that asks, one request at a time: for a program that does nothing else meanwhile, and has no time for
        /// another thread.
        case inPlace
        /// A thread of the client while a request runs, one request at a time.
        case whileAsking
        /// The thread that polls `descriptor`, and calls `readNext` when there is something: many requests run at the same
        /// time. `heard` is called there with events that belong to no request.
        case polled(heard: @Sendable (AgentEvent) -> Void)
    }

    /// Greets, and returns the agent's greeting.
    public typealias Greet = () throws(AgentError) -> Hello

    /// A request without its answer so far.
    struct Waiting {
        /// Resumed with the answer; nil if a thread reads until the answer is there.
        var continuation: CheckedContinuation<Result<Answered, AgentError>, Never>?
        /// Called when the agent waits for a person because of it.
        let asking: @Sendable () -> Void
        var pending = PendingFrames()
        var result: Result<Answered, AgentError>?
    }

    struct State {
        var next: UInt32 = 1
        var waiting: [UInt32: Waiting] = [:]
        /// Why there will be no more answers.
        var end: AgentError?
    }

    /// Requests that may run at the same time.
    package static let maximum = FrameLimits.requests
    /// Milliseconds that an agent has to greet.
    private static let greeting: Int32 = 2_000
    /// Milliseconds more for one that has to be started first.
    private static let start: Int32 = 10_000

    /// The agent's greeting.
    public let agent: Hello
    let socket: LocalSocket
    let channel: FrameChannel
    let caller: (any AgentCaller)?
    let state = Mutex(State())
    /// Requests wait here, and never on Swift's shared threads; only for `whileAsking`.
    let queue: DispatchQueue?
    let reading: Reading

    /// Connects and greets.
    ///
    /// - Parameters:
    ///   - path: of the control socket.
    ///   - hello: the client's greeting, and how its person may be asked.
    ///   - caller: shows questions; needed when the hello says that they may travel back.
    ///   - reading: which thread reads what the agent sends.
    ///   - showing: runs the greeting as a process that others of the same user can look at, as the agent
    ///     wants to know which program greets; two seconds, and once more for an agent that had to be
    ///     started.
    /// - Throws: `noAgent` when no process listens; `foreignAgent` before anything was said; a refusal for
    ///   another version or another vault.
    public init(
        _ path: String,
        hello: Hello,
        asking caller: (any AgentCaller)? = nil,
        reading: Reading = .whileAsking,
        showing: (Greet) throws(AgentError) -> Hello = { (greet) throws(AgentError) in try greet() }
    ) throws(AgentError) {
        queue = if case .whileAsking = reading { DispatchQueue(label: "io.hsip.agent.client") } else { nil }
        var socket = try LocalSocket(connecting: path)
        var channel = FrameChannel(socket: socket.descriptor)
        do throws(AgentError) {
            agent = try showing { () throws(AgentError) in try Self.greet(channel, hello) }
        } catch {
            guard error == .lost(.timeout), channel.waits(Self.start) else { throw error }
            // It is there now, but has looked at a process that hides by now.
            socket = try LocalSocket(connecting: path)
            channel = FrameChannel(socket: socket.descriptor)
            let second = channel
            agent = try showing { () throws(AgentError) in try Self.greet(second, hello) }
        }
        (self.socket, self.channel, self.caller, self.reading) = (socket, channel, caller, reading)
    }

    private static func greet(_ channel: FrameChannel, _ hello: Hello) throws(AgentError) -> Hello {
        let answer: Result<Hello, AgentError>
        do throws(FrameError) {
            let end = FrameChannel.now() + Int64(greeting)
            do throws(FrameError) {
                try channel.send(hello.frames(.request))
            } catch .closed {
                // An agent that has no place for one more has said so and hung up.
            }
            answer = try greeted(channel, until: end)
        } catch {
            throw .lost(error)
        }
        return try answer.get()
    }

    private static func greeted(
        _ channel: FrameChannel,
        until end: Int64
    ) throws(FrameError) -> Result<Hello, AgentError> {
        while true {
            let left = Int32(clamping: max(0, end - FrameChannel.now()))
            let frame = try channel.next(within: left, until: end) { (header) throws(FrameError) in
                guard [.event, .reply, .error].contains(header.kind),
                    header.kind == .event || header.request == 0
                else { throw .unexpected }
            }
            switch frame.kind {
            case .reply:
                let agent = try frame.message(Greeting.self).hello
                return agent.protocol == Hello.version ? .success(agent) : .failure(.refused(.otherVersion))
            case .error: return .failure(try frame.message(AgentError.self))
            default: continue
            }
        }
    }

    /// What the thread that reads polls for input.
    package var descriptor: Int32 { socket.descriptor }

    /// How many requests run; nil when the connection has ended.
    package var running: Int? { state.withLock { $0.end == nil ? $0.waiting.count : nil } }

    /// Ends the connection: requests without an answer end without one.
    package func close() { socket.hangUp() }

    /// Carries an operation to the agent's vault.
    ///
    /// - Throws: what the vault refused, as without the agent; `AgentError` for the rest.
    public func carry(_ call: VaultCall) async throws -> VaultAnswer {
        do {
            let answered = try await request(
                .call(operation: call.operation),
                secrets: call.secrets,
                data: call.arguments
            )
            guard answered.reply == .answer else { throw AgentError.lost(.unexpected) }
            return VaultAnswer(result: answered.pending.data, secrets: answered.pending.secrets)
        } catch AgentError.vault(let error) {
            throw error
        }
    }

    /// Asks which programs on the bus the agent blocks.
    ///
    /// - Parameter clears: whether they are asked about again from now on.
    /// - Returns: the programs, and how many of their questions were not asked.
    /// - Throws: `policyRefused` for any program but hsip itself.
    public func blocked(clears: Bool) async throws(AgentError) -> (programs: [BlockedProgram], refused: Int) {
        let reply = try await request(.blocked(clears: clears)).reply
        guard case .blocked(let programs, let refused) = reply else { throw .lost(.unexpected) }
        return (programs, refused)
    }

    /// Gets a lease for this process and all that it starts, until the connection ends.
    ///
    /// - Returns: the number of the lease.
    public func lease(_ request: LeaseRequest) async throws(AgentError) -> UInt64 {
        guard case .lease(let number) = try await self.request(.lease(request)).reply else {
            throw .lost(.unexpected)
        }
        return number
    }

    /// The leases that hold at present.
    public func leases() async throws(AgentError) -> [LeaseFacts] {
        guard case .leases(let leases) = try await request(.leases).reply else { throw .lost(.unexpected) }
        return leases
    }

    /// Ends a lease.
    public func endLease(_ number: UInt64) async throws(AgentError) {
        guard try await request(.endLease(number: number)).reply == .done else { throw .lost(.unexpected) }
    }

    /// The requests that wait for an answer in a window.
    public func requests() async throws(AgentError) -> [WaitingRequest] {
        guard case .requests(let requests) = try await request(.requests).reply else {
            throw .lost(.unexpected)
        }
        return requests
    }

    /// Answers a request; without an answer it shows that the person knows the vault's secret, which comes first.
    public func answer(
        _ number: UInt64,
        _ answer: RequestAnswer?,
        secret: Secret? = nil
    ) async throws(AgentError) {
        let request = AgentRequest.answerRequest(number: number, answer: answer)
        guard try await self.request(request, secrets: secret.map { [$0] } ?? []).reply == .done else {
            throw .lost(.unexpected)
        }
    }

    /// How the agent stands.
    public func status() async throws(AgentError) -> AgentStatus {
        guard case .status(let status) = try await request(.status).reply else { throw .lost(.unexpected) }
        return status
    }
}
