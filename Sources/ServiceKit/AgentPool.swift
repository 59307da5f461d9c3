package import AgentProtocol
internal import Dispatch
internal import Synchronization
internal import VaultCrypto
internal import VaultKit

/// The way to the agent: as many connections as requests at the same time need, the first one hears what happens.
package final class AgentPool: Sendable {
    /// Connections at most: what waits for a person holds its place on one for long.
    private static let maximum = 6
    /// Requests that run at a time; the others wait for their turn.
    ///
    /// The agent lets 96 of them wait for a person, so others always have turns left.
    private static let running = 128
    /// Requests that wait for their turn: each client of the bus has one, and some of our own.
    private static let waiting = 2_048

    /// A connection, and how many requests were given to it: also those that it has not begun.
    private struct Place {
        let link: AgentClient
        var taken: Int

        var isFree: Bool { link.running != nil && taken < AgentClient.maximum }
    }

    private struct Turns {
        var running = 0
        var number: UInt64 = 0
        /// In the order in which they came.
        var waiting: [(number: UInt64, begin: CheckedContinuation<Void, any Error>)] = []
    }

    private let path: String
    private let hello: Hello
    private let mailbox: Mailbox
    private let showing: @Sendable (AgentClient.Greet) throws(AgentError) -> Hello
    private let launch: @Sendable () -> Bool
    private let links = Mutex<[Place]>([])
    private let vault = Mutex("")
    private let turns = Mutex(Turns())
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

    /// Asks the agent for something; `asking` is called when it waits for a person because of it.
    func request(
        _ request: AgentRequest,
        secrets: [Secret] = [],
        data: [UInt8] = [],
        asking: @escaping @Sendable () -> Void
    ) async throws(AgentError) -> AgentClient.Answered {
        try await takeTurn()
        defer { passTurn() }
        let link = try await link()
        defer { giveBack(link) }
        return try await link.request(request, secrets: secrets, data: data, asking: asking)
    }

    /// Waits until fewer requests run than may; what is cancelled meanwhile has no turn.
    private func takeTurn() async throws(AgentError) {
        let number = turns.withLock { turns in
            turns.number += 1
            return turns.number
        }
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { begin in
                    let outcome: Result<Void, AgentError>? = turns.withLock { turns in
                        guard !Task.isCancelled else { return .failure(.refused(.cancelled)) }
                        guard turns.running >= Self.running else {
                            turns.running += 1
                            return .success(())
                        }
                        guard turns.waiting.count < Self.waiting else {
                            return .failure(.refused(.exhausted))
                        }
                        turns.waiting.append((number, begin))
                        return nil
                    }
                    if let outcome { begin.resume(with: outcome.mapError { $0 as any Error }) }
                }
            } onCancel: {
                let waiter = turns.withLock { turns in
                    turns.waiting.firstIndex { $0.number == number }.map { turns.waiting.remove(at: $0) }
                }
                waiter?.begin.resume(throwing: AgentError.refused(.cancelled))
            }
        } catch {
            throw error as? AgentError ?? .refused(.cancelled)
        }
    }

    private func passTurn() {
        let next = turns.withLock { turns -> CheckedContinuation<Void, any Error>? in
            guard !turns.waiting.isEmpty else {
                turns.running -= 1
                return nil
            }
            return turns.waiting.removeFirst().begin
        }
        next?.resume()
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
        if !links.withLock({ $0.contains(where: \.isFree) }) { _ = try connected(taken: 0) }
    }

    private func link() async throws(AgentError) -> AgentClient {
        if let free = taken() { return free }
        let result: Result<AgentClient, AgentError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                // Another one may have connected meanwhile.
                if let free = taken() { return continuation.resume(returning: .success(free)) }
                do throws(AgentError) {
                    continuation.resume(returning: .success(try connected(taken: 1)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// A connection that has a place left, which is taken.
    private func taken() -> AgentClient? {
        links.withLock { links in
            guard let free = links.firstIndex(where: \.isFree) else { return nil }
            links[free].taken += 1
            return links[free].link
        }
    }

    private func giveBack(_ link: AgentClient) {
        links.withLock { links in
            if let place = links.firstIndex(where: { $0.link === link }) { links[place].taken -= 1 }
        }
    }

    private func connected(taken: Int) throws(AgentError) -> AgentClient {
        guard links.withLock({ $0.count { $0.link.running != nil } }) < Self.maximum else {
            throw .refused(.exhausted)
        }
        let link: AgentClient
        do throws(AgentError) {
            link = try greeted()
        } catch {
            guard error == .noAgent, launch() else { throw error }
            link = try greeted()
        }
        links.withLock { $0.append(Place(link: link, taken: taken)) }
        return link
    }

    /// The connections, to be polled for answers.
    var connections: [AgentClient] { links.withLock { $0.map(\.link) } }

    /// Reads one frame of a connection; false when the connection has ended, and is forgotten.
    ///
    /// Only here is one forgotten: what still waits for its answers hears of the end by this last reading.
    func read(_ link: AgentClient) -> Bool {
        guard !link.readNext() else { return true }
        links.withLock { $0.removeAll { $0.link === link } }
        // Without an agent nothing is open.
        mailbox.post(.locked)
        return false
    }

    private func greeted() throws(AgentError) -> AgentClient {
        try AgentClient(
            path,
            hello: hello,
            reading: .polled { [mailbox] in mailbox.hear($0) },
            showing: showing
        )
    }
}
