internal import Dispatch
internal import Synchronization
public import VaultCrypto
public import VaultKit

/// A connection to the agent: one request at a time, its questions shown by the caller.
public final class AgentClient: VaultCarrier {
    /// What came back: the reply, and the raw frames before it.
    public struct Answered: Sendable {
        /// The reply.
        public let reply: AgentReply
        /// Secrets and data that belong to it.
        public let pending: PendingFrames
    }

    /// Greets, and returns the agent's greeting.
    public typealias Greet = () throws(AgentError) -> Hello

    /// Milliseconds that an agent has to greet.
    private static let greeting: Int32 = 2_000
    /// Milliseconds more for one that has to be started first.
    private static let start: Int32 = 10_000

    /// The agent's greeting.
    public let agent: Hello
    private let socket: LocalSocket
    private let channel: FrameChannel
    private let caller: (any AgentCaller)?
    private let next = Mutex<UInt32>(1)
    /// Requests wait here, and never on Swift's shared threads; nil where they wait in place.
    private let queue: DispatchQueue?

    /// Connects and greets.
    ///
    /// - Parameters:
    ///   - path: of the control socket.
    ///   - hello: the client's greeting, and how its person may be asked.
    ///   - caller: shows questions; needed when the hello says that they may travel back.
    ///   - waitsInPlace: requests wait on the thread that asks, as suits a program that does nothing else
    ///     meanwhile and has no time for another thread.
    ///   - showing: runs the greeting as a process that others of the same user can look at, as the agent
    ///     wants to know which program greets; two seconds, and once more for an agent that had to be
    ///     started.
    /// - Throws: `noAgent` when no process listens; `foreignAgent` before anything was said; a refusal for
    ///   another version or another vault.
    public init(
        _ path: String,
        hello: Hello,
        asking caller: (any AgentCaller)? = nil,
        waitsInPlace: Bool = false,
        showing: (Greet) throws(AgentError) -> Hello = { (greet) throws(AgentError) in try greet() }
    ) throws(AgentError) {
        queue = waitsInPlace ? nil : DispatchQueue(label: "io.hsip.agent.client")
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
        (self.socket, self.channel, self.caller) = (socket, channel, caller)
    }

    static func greet(_ channel: FrameChannel, _ hello: Hello) throws(AgentError) -> Hello {
        let answered: Result<Answered, AgentError>
        do throws(FrameError) {
            let until = FrameChannel.now() + Int64(greeting)
            do throws(FrameError) {
                try channel.send([Frame(.request, request: 0, try AgentRequest.hello(hello).encoded())])
            } catch .closed {
                // An agent that has no place for one more has said so and hung up.
            }
            answered = try read(0, channel, nil, until: until)
        } catch {
            throw .lost(error)
        }
        guard case .hello(let agent) = try answered.get().reply else { throw .lost(.unexpected) }
        return agent
    }

    /// Asks for something and waits for the answer; for threads that may wait.
    public func wait(
        for request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = []
    ) throws(AgentError) -> Answered {
        let number = next.withLock { next in
            defer { next &+= 1 }
            return next
        }
        do throws(FrameError) {
            var frames = try PendingFrames.frames(secrets: secrets, data: data, request: number)
            frames.append(Frame(.request, request: number, try request.encoded()))
            try channel.send(frames)
        } catch {
            guard error != .tooMuch else { throw .refused(.requestTooLarge) }
            // Who hangs up in the middle of a request may have said why.
            if error == .closed { _ = try Self.await(number, channel, nil) }
            throw .lost(error)
        }
        return try Self.await(number, channel, caller)
    }

    /// Asks for something.
    public func request(
        _ request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = []
    ) async throws(AgentError) -> Answered {
        guard let queue else { return try wait(for: request, secrets: secrets, data: data) }
        return try await wait(for: request, secrets, data, on: queue)
    }

    /// Apart from the other way, which needs none of the types in here.
    @inline(never)
    private func wait(
        for request: AgentRequest,
        _ secrets: [Secret],
        _ data: [UInt8],
        on queue: DispatchQueue
    ) async throws(AgentError) -> Answered {
        let result = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let result: Result<Answered, AgentError>
                do throws(AgentError) {
                    result = .success(try wait(for: request, secrets: secrets, data: data))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

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

    /// How the agent stands.
    public func status() async throws(AgentError) -> AgentStatus {
        guard case .status(let status) = try await request(.status).reply else { throw .lost(.unexpected) }
        return status
    }
}
