internal import Dispatch
internal import Synchronization
public import VaultCrypto
public import VaultKit

/// A connection to the agent, which sends requests, passes replies to the waiting tasks, and shows questions.
public final class AgentClient: VaultCarrier {
    /// The response to a request: the reply, and the raw frames before it.
    public struct Answered: Sendable {
        /// The reply.
        public let reply: AgentReply
        /// The secrets and data that belong to the reply.
        public let pending: PendingFrames
    }

    /// The choice of the thread that reads the agent's frames.
    public enum Reading: Sendable {
        /// The calling thread, one request at a time: for a program that only waits, and saves the start of another thread.
        case inPlace
        /// A thread of the client during a request, one request at a time.
        case whileAsking
        /// A thread that polls `descriptor` and calls `readNext` for input; many requests run at the same time.
        ///
        /// `heard` is called on that thread with events that belong to no request.
        case polled(heard: @Sendable (AgentEvent) -> Void)
    }

    /// A function that greets the agent and returns its greeting.
    public typealias Greet = () throws(AgentError) -> Hello

    /// A request that has no reply yet.
    struct Waiting {
        /// The continuation to resume with the reply; nil if the waiting thread itself reads until the reply arrives.
        var continuation: CheckedContinuation<Result<Answered, AgentError>, Never>?
        /// Called when the agent reports that it waits for a person because of the request.
        let asking: @Sendable () -> Void
        var pending = PendingFrames()
        var result: Result<Answered, AgentError>?
    }

    struct State {
        var next: UInt32 = 1
        var waiting: [UInt32: Waiting] = [:]
        /// The error that ended the connection; nil while it works.
        var end: AgentError?
    }

    /// The most requests that may run at the same time.
    package static let maximum = FrameLimits.requests
    /// The milliseconds that an agent has to greet.
    private static let greeting: Int32 = 2_000
    /// The further milliseconds for an agent that must be started first.
    private static let start: Int32 = 10_000

    /// The agent's greeting.
    public let agent: Hello
    let socket: LocalSocket
    let channel: FrameChannel
    let caller: (any AgentCaller)?
    let state = Mutex(State())
    /// The queue on which requests block instead of Swift's shared threads; only for `whileAsking`.
    let queue: DispatchQueue?
    let reading: Reading

    /// Connects to the agent and exchanges greetings.
    ///
    /// - Parameters:
    ///   - path: The path of the control socket.
    ///   - hello: The client's greeting, which says how its person may be asked.
    ///   - caller: Shows questions; needed if the greeting allows questions at the client's terminal.
    ///   - reading: The choice of the thread that reads.
    ///   - showing: Runs the greeting while other processes of the user may inspect this process, because the agent checks
    ///     which program greets. It runs for at most two seconds, and once more if the agent had to be started.
    /// - Throws: `noAgent` if no process listens; `foreignAgent` before anything is sent; a refusal for another version or
    ///   another vault; `lost`.
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
            // The agent has started now, but this process has hidden itself again before the agent inspected it.
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
                // An agent with too many connections sends its refusal and hangs up; the refusal is read below.
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

    /// The descriptor that the reading thread polls for input.
    package var descriptor: Int32 { socket.descriptor }

    /// The number of running requests; nil if the connection has ended.
    package var running: Int? { state.withLock { $0.end == nil ? $0.waiting.count : nil } }

    /// Ends the connection; requests without a reply fail.
    package func close() { socket.hangUp() }

    /// Calls an operation of the agent's vault.
    ///
    /// - Throws: The vault's own error, as without the agent; `AgentError` for all other failures.
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

    /// Lists the programs on the bus that the agent blocks.
    ///
    /// - Parameter clears: Whether to unblock them.
    /// - Returns: The programs, and how many of their questions were not asked.
    /// - Throws: `policyRefused` for any program except hsip itself.
    public func blocked(clears: Bool) async throws(AgentError) -> (programs: [BlockedProgram], refused: Int) {
        let reply = try await request(.blocked(clears: clears)).reply
        guard case .blocked(let programs, let refused) = reply else { throw .lost(.unexpected) }
        return (programs, refused)
    }

    /// Requests a lease for this process and its descendants, until the connection ends.
    ///
    /// - Returns: The number of the lease.
    public func lease(_ request: LeaseRequest) async throws(AgentError) -> UInt64 {
        guard case .lease(let number) = try await self.request(.lease(request)).reply else {
            throw .lost(.unexpected)
        }
        return number
    }

    /// Lists the active leases.
    public func leases() async throws(AgentError) -> [LeaseFacts] {
        guard case .leases(let leases) = try await request(.leases).reply else { throw .lost(.unexpected) }
        return leases
    }

    /// Ends a lease.
    public func endLease(_ number: UInt64) async throws(AgentError) {
        guard try await request(.endLease(number: number)).reply == .done else { throw .lost(.unexpected) }
    }

    /// Lists the requests that wait for an answer in a window.
    public func requests() async throws(AgentError) -> [WaitingRequest] {
        guard case .requests(let requests) = try await request(.requests).reply else {
            throw .lost(.unexpected)
        }
        return requests
    }

    /// Answers a waiting request; a nil answer only proves that the person knows the vault's secret, which must come first.
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

    /// Asks for the agent's status.
    public func status() async throws(AgentError) -> AgentStatus {
        guard case .status(let status) = try await request(.status).reply else { throw .lost(.unexpected) }
        return status
    }
}
