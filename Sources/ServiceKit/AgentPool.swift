package import AgentProtocol
internal import Dispatch
internal import Synchronization
internal import VaultCrypto
internal import VaultKit

/// The way to the agent: as many connections as requests at the same time need, the first one hears what happens.
package final class AgentPool: Sendable {
    /// Connections at most: what waits for a person holds its place on one for long.
    private static let maximum = 6
    /// Places of a connection that are left for those that were counted before they began.
    private static let spare = 4

    private let path: String
    private let hello: Hello
    private let mailbox: Mailbox
    private let showing: @Sendable (AgentClient.Greet) throws(AgentError) -> Hello
    private let launch: @Sendable () -> Bool
    private let links = Mutex<[AgentLink]>([])
    private let vault = Mutex("")
    /// Connecting waits for the agent, and Swift's own threads wait for nothing.
    private let queue = DispatchQueue(label: "io.hsip.secrets.agent")

    /// - Parameters:
    ///   - path: of the agent's control socket.
    ///   - program: name and version of this program.
    ///   - environment: where a question of the agent would be seen.
    ///   - mailbox: where the agent's events go.
    ///   - showing: runs a greeting as a process that the agent can look at.
    ///   - launch: starts an agent where none listens; whether one listens then.
    package init(
        _ path: String,
        program: String,
        environment: [String: String],
        mailbox: Mailbox,
        showing: @escaping @Sendable (AgentClient.Greet) throws(AgentError) -> Hello,
        launch: @escaping @Sendable () -> Bool = { false }
    ) {
        self.path = path
        self.mailbox = mailbox
        self.showing = showing
        self.launch = launch
        hello = Hello(program: program, features: [Hello.items], asks: .agent, environment: environment)
    }

    /// Asks the agent for something; `asking` is told when it waits for a person because of it.
    func request(
        _ request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = [],
        asking: @escaping @Sendable () -> Void
    ) async throws(AgentError) -> AgentClient.Answered {
        try await link().request(request, secrets: secrets, data: data, asking: asking)
    }

    /// The identifier of the vault, in hexadecimal digits; empty before its first opening that this program saw.
    package var vaultID: String { vault.withLock { $0 } }

    /// Takes note of what the agent says of its vault.
    func saw(_ status: AgentStatus) {
        guard let id = status.vaultID else { return }
        vault.withLock { $0 = id }
    }

    /// Connects, so that the agent's events are heard.
    package func connect() throws(AgentError) {
        if free == nil { _ = try connected() }
    }

    private func link() async throws(AgentError) -> AgentLink {
        if let free { return free }
        let result: Result<AgentLink, AgentError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                // Another one may have connected meanwhile.
                if let free { return continuation.resume(returning: .success(free)) }
                do throws(AgentError) {
                    continuation.resume(returning: .success(try connected()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private var free: AgentLink? {
        links.withLock { links in
            links.first { ($0.running ?? .max) < AgentLink.maximum - Self.spare }
        }
    }

    private func connected() throws(AgentError) -> AgentLink {
        let count = links.withLock { links in
            links.removeAll { $0.running == nil }
            return links.count
        }
        guard count < Self.maximum else { throw .refused(.exhausted) }
        let link: AgentLink
        do throws(AgentError) {
            link = try greeted()
        } catch {
            guard error == .noAgent, launch() else { throw error }
            link = try greeted()
        }
        links.withLock { $0.append(link) }
        return link
    }

    private func greeted() throws(AgentError) -> AgentLink {
        try AgentLink(
            path,
            hello: hello,
            showing: showing,
            heard: { [mailbox] in mailbox.hear($0) },
            // Without an agent nothing is open.
            ended: { [mailbox] in mailbox.post(.locked) }
        )
    }
}
