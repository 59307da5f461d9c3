package import AgentProtocol
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import VaultCrypto

/// Serves the control socket (Schemas/control.md): greets, dispatches, and ends in good order.
package final class ControlHandler: Sendable {
    /// Seconds that requests in flight have when the agent stops.
    private static let grace = 5

    let parts: ControlParts
    /// Over when the agent stops: every question ends with it.
    let stopping: Cancellation
    /// The program that serves the vault on the message bus, while it is connected.
    let front = FrontSeat()
    /// Which programs processes on the bus are.
    let known = KnownPrograms()
    private let working = DispatchGroup()
    private let connections = Atomic(0)
    private let isEnding = Atomic(false)

    /// - Throws: when the system has no descriptors left.
    package init(_ parts: ControlParts) throws(SystemError) {
        self.parts = parts
        stopping = try Cancellation()
        parts.core.add(front)
    }

    /// Whether only our own command line still gets a place.
    var isCrowded: Bool {
        connections.load(ordering: .relaxed) > FrameLimits.connections - FrameLimits.ownConnections
    }

    /// Serves one client to its end, on the connection's own thread.
    package func serve(_ connection: Connection) {
        connections.add(1, ordering: .relaxed)
        defer { connections.subtract(1, ordering: .relaxed) }
        ControlConnection(connection, at: self).run()
    }

    /// Tells a client for which there is no place that this is why; it need not have greeted.
    package func turnAway(_ connection: Connection) {
        // Nothing was sent on this connection before, so there is room for it.
        let channel = FrameChannel(socket: connection.socket)
        try? channel.send(Frame.message(.error, request: 0, AgentError.refused(.crowded)))
    }

    /// Runs `body` as something that a stop waits for.
    func work<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        working.enter()
        defer { working.leave() }
        return try body()
    }

    /// Stops: questions end, requests in flight have five seconds, then everything is wiped for good.
    ///
    /// A second call waits for nothing.
    package func stop() {
        guard !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { return }
        stopping.cancel()
        _ = working.wait(timeout: .now() + .seconds(Self.grace))
        parts.core.stop()
    }

    /// How the agent stands.
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
