package import AgentProtocol
internal import Files
internal import Glibc
internal import Presentation
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// Leases: a person at a terminal lets one command use some objects of the vault.
extension Gate {
    /// Gives a lease to a process and its descendants: to the named process, otherwise to the caller's.
    ///
    /// The lease is in the log when this returns.
    ///
    /// - Returns: its number.
    /// - Throws: `nobodyToAsk` for any program except hsip at a terminal; the unknown object; `busy` if there are too
    ///   many; the error of the log.
    package func lease(_ request: LeaseRequest, to caller: ControlCaller) throws(Refusal) -> UInt64 {
        let requester = requester(caller.peer, hasTerminal: caller.hello.asks == .terminal)
        guard requester.uid == geteuid(), requester.isPerson, let own = caller.peer.process else {
            throw .leaseNeedsPerson
        }
        let root = request.process ?? own
        if request.process != nil { try Self.checkService(root, of: own) }
        guard (1...Lease.mostNames).contains(request.things.count), Lease.isReason(request.reason),
            (1...Lease.longest).contains(request.seconds),
            request.command.utf8.count <= AuditEntry.longestText
        else { throw .brokenProtocol }
        guard leases.reserve() else { throw .tooManyLeases }
        defer { leases.giveBack() }
        let (open, opening) = state.withLock { ($0.open, $0.opening) }
        let things = try leased(request.things, in: open)
        var entry = AuditEntry(.rule, .allowed, time: 0, act: AuditEntry.lease)
        (entry.subject, entry.target) = (Self.text(of: things.keys), request.reason)
        if request.process != nil { entry.subject += " for \(request.command) (process \(root.pid))" }
        guard entry.subject.utf8.count <= AuditEntry.longestText else { throw .leaseTooLong }
        entry.add(requester)
        let number = try append(entry, opening)
        let lease = Lease(
            number: number,
            reason: request.reason,
            things: things,
            ends: BootTime.now() + request.seconds
        )
        let kept = LeaseRequest(
            things: things.keys.sorted { $0.text < $1.text },
            seconds: request.seconds,
            reason: request.reason,
            command: request.command,
            process: request.process
        )
        // A lock in the meantime ends the lease before it begins.
        try state.withLock { state throws(Refusal) in
            guard state.opening == opening, state.open != nil else { throw .locked }
            leases.add(
                LeaseBook.Held(
                    lease: lease,
                    request: kept,
                    root: root,
                    holder: ObjectIdentifier(caller.peer)
                )
            )
        }
        return number
    }

    /// Checks that a service may get a lease: it runs, belongs to this user, can be identified, and is not an
    /// ancestor of the hsip that gives it.
    ///
    /// - Throws: `policyRefused`.
    private static func checkService(_ root: ProcessID, of own: ProcessID) throws(Refusal) {
        guard root.pid > 1, FileFacts(at: "/proc/\(root.pid)")?.isOwn == true, root.isRunning else {
            throw .notLeasable("it has ended, or is another user's")
        }
        guard ProcessFacts.isAmongUs(root.pid) else {
            throw .notLeasable(
                "it runs in a namespace of its own (PrivateUsers=), where hsip cannot tell who asks"
            )
        }
        guard let around = ProcessFacts.ancestry(of: own), !around.contains(root) else {
            throw .notLeasable(
                "it runs this terminal, and everything that is started here would have the lease"
            )
        }
    }

    /// Returns the requested objects with the state to which they are compared later.
    ///
    /// - Throws: the object that is unknown or in the trash.
    private func leased(
        _ wanted: [LeasedThing],
        in open: OpenVault?
    ) throws(Refusal) -> [LeasedThing: LeasedFacts] {
        let found = try fromVault(open) { (vault) async throws(VaultError) in
            var found: [LeasedThing: LeasedFacts] = [:]
            for thing in wanted {
                do throws(VaultError) {
                    let (thing, facts) = try await vault.leased(thing)
                    found[thing] = facts
                } catch {
                    switch error {
                    case .secret, .ssh, .item:
                        let failure = Unleasable(thing: thing, error: error)
                        return Result<[LeasedThing: LeasedFacts], Unleasable>.failure(failure)
                    default: throw error
                    }
                }
            }
            return .success(found)
        }
        do throws(Unleasable) {
            return try found.get()
        } catch {
            var refusal = Refusal(error.error.explanation)
            if Refusal.isPlain(error.name) { refusal.message += ": \(error.name)" }
            // A host that is unknown to the vault cannot be listed either.
            if case .login(_, error.name) = error.thing { refusal.hint = "hsip ssh host list" }
            throw refusal
        }
    }

    private static func text(of things: some Sequence<LeasedThing>) -> String {
        things.map(\.text).sorted().joined(separator: ", ")
    }

    /// Ends a lease.
    ///
    /// - Throws: `unknownLease` for an unknown or ended lease.
    package func endLease(_ number: UInt64, by caller: ControlCaller) throws(Refusal) {
        let ended = leases.end(number, at: BootTime.now())
        guard !ended.isEmpty else { throw .unknownLease }
        noteEnd(of: ended, by: requester(caller.peer))
    }

    /// Ends the leases of a caller that disconnected.
    package func endLeases(of caller: ControlCaller) {
        noteEnd(of: leases.forget(ObjectIdentifier(caller.peer), at: BootTime.now()), by: nil)
    }

    /// Logs ended leases; they end even if the log fails.
    private func noteEnd(of ended: [Lease], by requester: Requester?) {
        for lease in ended {
            var entry = AuditEntry(.rule, .allowed, time: 0, act: AuditEntry.leaseEnd)
            entry.subject = Self.text(of: lease.things.keys)
            if let requester { entry.add(requester) }
            try? write(entry, .allowed, Reason.leaseCode(lease.number))
        }
    }

    /// Checks that leased objects did not change since the lease was given: no new value, no rename, no restore.
    ///
    /// Each commit has a unique number. So a secret that is unchanged after it was read was also unchanged while it
    /// was read.
    ///
    /// - Throws: `leaseIsOver`; `leaseChanged`.
    func checkLeased(_ use: LeaseUse, isAfter: Bool = false) throws(Refusal) {
        guard let known = leases.things(of: use.number, at: BootTime.now()) else { throw .leaseIsOver }
        let isSame = try? fromVault { (vault) async throws(VaultError) in
            for thing in use.things where try await vault.revision(of: thing) != known[thing]?.revision {
                return false
            }
            return true
        }
        guard isSame == true else { throw .leaseChanged }
        if isAfter { leases.wasUsed(use.number, times: use.things.count) }
    }
}

/// The leased objects that a call uses.
package struct LeaseUse: Sendable {
    let number: UInt64
    var things: [LeasedThing]
}

/// An object that cannot be leased, and the reason.
private struct Unleasable: Error {
    let thing: LeasedThing
    let error: VaultError

    /// The name that a person would look for.
    var name: String {
        switch (thing, error) {
        case (.login(_, let host), .ssh(.unknownHostKey)), (.login(_, let host), .ssh(.format)): host
        case (.login(let name, _), _), (.secret(let name), _), (.item(let name), _): name
        }
    }
}
