internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// The connections of the one front that the agent serves on the message bus.
package final class FrontSeat: Sendable {
    private struct State {
        var holder: Peer?
        /// The connections in order; events go to the first one.
        var channels: [FrameChannel] = []
    }

    private let state = Mutex(State())
    /// Lock observers must not wait for a front that does not read.
    private let queue = DispatchQueue(label: "io.hsip.agent.front")

    package init() {}

    /// Adds a connection of a front; false while another running process is the front.
    func take(_ peer: Peer, _ channel: FrameChannel) -> Bool {
        state.withLock { state in
            // The agent may not yet have noticed that the connections of an ended process are closed.
            if state.holder?.isAlive != true { state.channels = [] }
            guard state.channels.isEmpty || state.holder?.pid == peer.pid else { return false }
            if state.channels.isEmpty { state.holder = peer }
            state.channels.append(channel)
            return true
        }
    }

    /// Removes a connection.
    func leave(_ channel: FrameChannel) {
        state.withLock { $0.channels.removeAll { $0 === channel } }
    }

    /// Whether a front is connected.
    package var isTaken: Bool { state.withLock { !$0.channels.isEmpty } }

    /// Sends an event to the front, later and in the order of these calls.
    func tell(_ event: AgentEvent) {
        guard isTaken, let frames = try? event.frames(0) else { return }
        queue.async { [self] in
            let first = state.withLock { $0.channels.first }
            // A closed connection gets no events.
            try? first?.send(frames)
        }
    }
}

extension FrontSeat: LockObserver {
    /// Tells the front that the vault is open.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) {
        tell(AgentEvent(event: .opened))
    }

    /// Tells the front that the vault is locked.
    package func vaultLocked(_ reason: LockReason) { tell(AgentEvent(event: .locked)) }
}
