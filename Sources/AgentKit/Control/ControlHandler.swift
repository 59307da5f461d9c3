package import AgentProtocol
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import VaultCrypto

/// Serves the control socket (Schemas/control.md): hello, requests, and an orderly end.
package final class ControlHandler: Sendable {
    /// The seconds that running requests have when the agent stops.
    private static let grace = 5

    let parts: ControlParts
    /// Ends when the agent stops, and all prompts with it.
    let stopping: Cancellation
    /// The program that serves the vault on the message bus, while it is connected.
    let front = FrontSeat()
    /// The identified programs of processes on the bus.
    let known = KnownPrograms()
    private let working = DispatchGroup()
    private let connections = Atomic(0)
    private let isEnding = Atomic(false)

    /// - Throws: an error if the system has no descriptors left.
    package init(_ parts: ControlParts) throws(SystemError) {
        self.parts = parts
        stopping = try Cancellation()
        parts.core.add(front)
    }

    /// Whether only hsip itself may still connect.
    var isCrowded: Bool {
        connections.load(ordering: .relaxed) > FrameLimits.connections - FrameLimits.ownConnections
    }

    /// Serves one client until it disconnects, on the connection's own thread.
    package func serve(_ connection: Connection) {
        connections.add(1, ordering: .relaxed)
        defer { connections.subtract(1, ordering: .relaxed) }
        ControlConnection(connection, at: self).run()
    }

    /// Tells a client, even before its hello, that too many clients are connected.
    package func turnAway(_ connection: Connection) {
        // Nothing was sent on this connection before, so its buffer has room.
        let channel = FrameChannel(socket: connection.socket)
        try? channel.send(Frame.message(.error, request: 0, AgentError.refused(.crowded)))
    }

    /// Runs `body` as work that a stop waits for.
    func work<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        working.enter()
        defer { working.leave() }
        return try body()
    }

    /// Stops: prompts end, running requests have five seconds, then everything is wiped permanently.
    ///
    /// A second call does not wait.
    package func stop() {
        guard !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { return }
        stopping.cancel()
        _ = working.wait(timeout: .now() + .seconds(Self.grace))
        parts.core.stop()
    }

    /// Returns the status of the agent.
    package func status() -> AgentStatus {
        let core = parts.core
        var status = AgentStatus(
            isLocked: core.isLocked,
            vault: core.opener.vaultName,
            pid: getpid(),
            program: parts.program
        )
        status.connections = connections.load(ordering: .relaxed)
        if let seen = core.lastSeen {
            status.vaultID = Hex.encode(seen.vaultID)
            status.backend = seen.backend
        }
        status.refused = parts.gate.limiter.refused
        status.plainPrograms = parts.gate.limiter.plainPrograms
        parts.facts(&status)
        return status
    }

}
