internal import AgentProtocol
internal import Synchronization
internal import VaultPolicy

/// The leases that this agent has given, and under which process each command runs.
///
/// A lease that has ended stays until its connection ends: nobody is asked for its command until then.
package final class LeaseBook: Sendable {
    struct Held: Sendable {
        var lease: Lease
        let request: LeaseRequest
        /// The process that waits for the command.
        let root: ProcessID
        /// The connection with which it ends.
        let holder: ObjectIdentifier
        var uses = 0
    }

    private struct State: Sendable {
        var held: [Held] = []
        /// Places kept for leases that callers are about to get.
        var begun = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Keeps a place for a lease that a caller is about to get; false if there is no room for another one.
    func reserve() -> Bool {
        state.withLock { state in
            guard state.held.count + state.begun < Lease.maximum else { return false }
            state.begun += 1
            return true
        }
    }

    /// Ends `reserve`, after the lease was added or refused.
    func giveBack() { state.withLock { $0.begun -= 1 } }

    func add(_ lease: Held) { state.withLock { $0.held.append(lease) } }

    /// The lease of the nearest command that a process is, or was started by: the newest that holds.
    ///
    /// If its ancestors cannot be determined, it gets an empty lease: it may be inside one.
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

    /// The lease of a client on a socket, also of a program that is not known.
    func lease(of peer: Peer) -> Lease? {
        guard state.withLock({ !$0.held.isEmpty }) else { return nil }
        guard let process = peer.process ?? ProcessID(running: peer.pid), peer.isAlive else {
            return Lease.empty
        }
        return lease(of: process)
    }

    /// What was noted of the things of a lease when it was given; nil if it has ended.
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

    /// The leases that hold at a moment, the oldest first.
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

    /// Ends one, or all.
    ///
    /// - Returns: the leases that held until now.
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

    /// Forgets the leases of a connection that has ended.
    ///
    /// - Returns: the leases that held until now.
    func forget(_ holder: ObjectIdentifier, at moment: UInt64) -> [Lease] {
        state.withLock { state in
            let gone = state.held.filter { $0.holder == holder }
            state.held.removeAll { $0.holder == holder }
            return gone.map(\.lease).filter { moment < $0.ends }
        }
    }
}
