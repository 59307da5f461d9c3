package import AgentProtocol
internal import Synchronization
internal import VaultCrypto
internal import VaultKit

/// The way to the agent: as many connections as requests at the same time need, the first one hears what happens.
package final class AgentPool: Sendable {
    /// Connections at most: what waits for a person holds its place on one for long.
    private static let maximum = 6

    private let path: String
    private let hello: Hello
    private let heard: @Sendable (AgentEvent) -> Void
    private let showing: @Sendable (AgentClient.Greet) throws(AgentError) -> Hello
    private let links = Mutex<[AgentLink]>([])
    private let vault = Mutex("")

    /// - Parameters:
    ///   - path: of the agent's control socket.
    ///   - program: name and version of this program.
    ///   - environment: where a question of the agent would be seen.
    ///   - showing: runs a greeting as a process that the agent can look at.
    ///   - heard: told of the agent's events, on a thread of its own.
    package init(
        _ path: String,
        program: String,
        environment: [String: String],
        showing: @escaping @Sendable (AgentClient.Greet) throws(AgentError) -> Hello,
        heard: @escaping @Sendable (AgentEvent) -> Void
    ) {
        self.path = path
        self.showing = showing
        self.heard = heard
        hello = Hello(program: program, features: [Hello.items], asks: .agent, environment: environment)
    }

    /// Asks the agent for something.
    func request(
        _ request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = []
    ) async throws(AgentError) -> AgentClient.Answered {
        try await link().request(request, secrets: secrets, data: data)
    }

    /// The identifier of the vault, in hexadecimal digits; empty before its first opening that this program saw.
    package var vaultID: String { vault.withLock { $0 } }

    /// Takes note of what the agent says of its vault.
    func saw(_ status: AgentStatus) {
        guard let id = status.vaultID else { return }
        vault.withLock { $0 = id }
    }

    /// Connects, so that the agent's events are heard.
    package func connect() throws(AgentError) { _ = try link() }

    private func link() throws(AgentError) -> AgentLink {
        try links.withLock { links throws(AgentError) in
            links.removeAll { $0.running == nil }
            // The last places of a connection are left for those that were counted before they began.
            if let free = links.first(where: { ($0.running ?? .max) < AgentLink.maximum - 4 }) { return free }
            guard links.count < Self.maximum else { throw .refused(.exhausted) }
            let link = try AgentLink(path, hello: hello, showing: showing, heard: heard)
            links.append(link)
            return link
        }
    }
}

/// The agent's vault, for one program on the bus.
struct AgentVault: VaultCarrier {
    let pool: AgentPool
    let behalf: Behalf

    /// Its operations.
    var service: any VaultService { CarriedService(self) }

    /// Whether it is locked.
    func isLocked() async throws(AgentError) -> Bool {
        guard case .status(let status) = try await pool.request(.status).reply else {
            throw .lost(.unexpected)
        }
        pool.saw(status)
        return status.isLocked
    }

    /// Opens it: the agent asks the person where that is needed.
    func unlock() async throws(AgentError) {
        _ = try await pool.request(.unlock(Unlocking(.ask, for: behalf)))
    }

    /// Locks it for everybody.
    func lock() async throws(AgentError) { _ = try await pool.request(.lock) }

    func carry(_ call: VaultCall) async throws -> VaultAnswer {
        do throws(AgentError) {
            let answered = try await pool.request(
                .call(operation: call.operation, for: behalf),
                secrets: call.secrets,
                data: call.arguments
            )
            guard answered.reply == .answer else { throw .lost(.unexpected) }
            return VaultAnswer(result: answered.pending.data, secrets: answered.pending.secrets)
        } catch {
            if case .vault(let refusal) = error { throw refusal }
            throw error
        }
    }
}
