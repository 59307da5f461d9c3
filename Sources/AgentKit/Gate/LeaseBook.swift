internal import AgentProtocol
internal import Synchronization
internal import VaultPolicy

/// The leases that this agent has given, and the process of each command.
///
/// An ended lease stays until its connection ends: until then nobody is asked for its command.
package final class LeaseBook: Sendable {
    struct Held: Sendable {
        var lease: Lease
        let request: LeaseRequest
        /// The process that waits for the command.
        let root: ProcessID
        /// The connection with which the lease ends.
        let holder: ObjectIdentifier
        var uses = 0
    }

    private struct State: Sendable {
        var held: [Held] = []
        /// The number of reserved leases.
        var begun = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Reserves room for a lease; false if no more leases are possible.
    func reserve() -> Bool {
        state.withLock { state in
            guard state.held.count + state.begun < Lease.maximum else { return false }
            state.begun += 1
            return true
        }
    }

    /// Ends a reservation, after the lease was added or refused.
    func giveBack() { state.withLock { $0.begun -= 1 } }

    func add(_ lease: Held) { state.withLock { $0.held.append(lease) } }

    /// Returns the lease of the nearest command that a process is or was started by: the newest valid one.
    ///
    /// If its ancestors cannot be determined, it gets an empty lease, since it may be inside one.
    func lease(of process: ProcessID) -> Lease? {
        let held = state.withLock { $0.held }
        guard !held.isEmpty else { return nil }
        guard let ancestry = ProcessFacts.ancestry(of: process) else { return Lease.empty }
        let moment = BootTime.now()
        for ancestor in ancestry {
            let leases = held.filter { $0.root == ancestor }.map(\.lease)
            if let found = leases.last(where: { moment < $0.ends }) ?? leases.last { return found }
        }
        return nil
    }

    /// Returns the lease of a client on a socket, also of an unknown program.
    func lease(of peer: Peer) -> Lease? {
        guard state.withLock({ !$0.held.isEmpty }) else { return nil }
        guard let process = peer.process ?? ProcessID(running: peer.pid), peer.isAlive else {
            return Lease.empty
        }
        return lease(of: process)
    }

    /// Returns the recorded state of a lease's objects; nil if it has ended.
    func things(of number: UInt64, at moment: UInt64) -> [LeasedThing: LeasedFacts]? {
        state.withLock { state in
            state.held.first { $0.lease.number == number && moment < $0.lease.ends }?.lease.things
        }
    }

    func wasUsed(_ number: UInt64, times: Int) {
        state.withLock { state in
            guard let place = state.held.firstIndex(where: { $0.lease.number == number }) else { return }
            state.held[place].uses += times
        }
    }

    /// Returns the valid leases at a moment, the oldest first.
    func list(at moment: UInt64) -> [LeaseFacts] {
        state.withLock { $0.held }.filter { moment < $0.lease.ends }.map { held in
            LeaseFacts(
                number: held.lease.number,
                request: held.request,
                pid: held.root.pid,
                seconds: held.lease.ends - moment,
                uses: held.uses
            )
        }
    }

    /// Ends one lease, or all.
    ///
    /// - Returns: the leases that were valid until now.
    @discardableResult
    func end(_ number: UInt64? = nil, at moment: UInt64) -> [Lease] {
        state.withLock { state in
            var ended: [Lease] = []
            for (place, held) in state.held.enumerated()
            where moment < held.lease.ends && number ?? held.lease.number == held.lease.number {
                ended.append(held.lease)
                state.held[place].lease.ends = 0
            }
            return ended
        }
    }

    /// Removes the leases of a connection that has ended.
    ///
    /// - Returns: the leases that were valid until now.
    func forget(_ holder: ObjectIdentifier, at moment: UInt64) -> [Lease] {
        state.withLock { state in
            let gone = state.held.filter { $0.holder == holder }
            state.held.removeAll { $0.holder == holder }
            return gone.map(\.lease).filter { moment < $0.ends }
        }
    }
}
