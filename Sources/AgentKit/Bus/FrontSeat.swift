internal import AgentProtocol
internal import Dispatch
internal import Synchronization

/// The one front of the message bus that the agent serves, with its connections.
package final class FrontSeat: Sendable {
    private struct State {
        var holder: Peer?
        /// By their order: news go to the first one.
        var channels: [FrameChannel] = []
    }

    private let state = Mutex(State())
    /// Observers of locks must not wait for a front that does not read.
    private let queue = DispatchQueue(label: "io.hsip.agent.front")

    package init() {}

    /// Adds a connection of a front; false while another process that still runs has one.
    func take(_ peer: Peer, _ channel: FrameChannel) -> Bool {
        state.withLock { state in
            // The agent may not have read the end of the connections of a process that ended.
            if state.holder?.isAlive != true { state.channels = [] }
            guard state.channels.isEmpty || state.holder?.pid == peer.pid else { return false }
            if state.channels.isEmpty { state.holder = peer }
            state.channels.append(channel)
            return true
        }
    }

    /// Gives a connection back.
    func leave(_ channel: FrameChannel) {
        state.withLock { $0.channels.removeAll { $0 === channel } }
    }

    /// Whether a front is connected.
    package var isTaken: Bool { state.withLock { !$0.channels.isEmpty } }

    /// Tells the front something, some time later and in the order of these calls.
    func tell(_ event: AgentEvent) {
        guard isTaken, let frames = try? event.frames(0) else { return }
        queue.async { [self] in
            let first = state.withLock { $0.channels.first }
            // One that is gone hears nothing.
            try? first?.send(frames)
        }
    }
}

extension FrontSeat: LockObserver {
    /// Tells the front that the vault is open.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) {
        tell(AgentEvent(event: .opened))
    }

    /// Tells the front that it is locked.
    package func vaultLocked(_ reason: LockReason) { tell(AgentEvent(event: .locked)) }
}
