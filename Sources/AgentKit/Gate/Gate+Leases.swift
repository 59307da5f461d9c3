package import AgentProtocol
internal import Glibc
internal import Presentation
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// Leases: a person at a terminal lets one command read some secrets.
extension Gate {
    /// Gives a lease to the process of a caller and all that it starts; it is in the log when this returns.
    ///
    /// - Returns: its number.
    /// - Throws: `nobodyToAsk` for any program but hsip at a terminal; that a secret is unknown; `busy` for too many; also if
    ///   the log cannot be written.
    package func lease(_ request: LeaseRequest, to caller: ControlCaller) throws(Refusal) -> UInt64 {
        let requester = requester(caller.peer, hasTerminal: caller.hello.asks == .terminal)
        guard requester.uid == geteuid(), requester.isPerson, let root = caller.peer.process else {
            throw .leaseNeedsPerson
        }
        guard (1...Lease.mostNames).contains(request.secrets.count), Lease.isReason(request.reason),
            (1...Lease.longest).contains(request.seconds),
            request.command.utf8.count <= AuditEntry.longestText
        else { throw .brokenProtocol }
        guard !leases.isFull else { throw .tooManyLeases }
        let (open, opening) = state.withLock { ($0.open, $0.opening) }
        let revisions = try revisions(of: request.secrets, in: open)
        let names = revisions.keys.sorted()
        var entry = AuditEntry(.rule, .allowed, time: 0, act: AuditEntry.lease)
        (entry.subject, entry.target) = (names.joined(separator: ", "), request.reason)
        guard entry.subject.utf8.count <= AuditEntry.longestText else { throw .leaseTooLong }
        entry.add(requester)
        let number = try append(entry, opening)
        let lease = Lease(
            number: number,
            reason: request.reason,
            secrets: Set(names),
            ends: BootTime.now() + request.seconds
        )
        let kept = LeaseRequest(
            secrets: names,
            seconds: request.seconds,
            reason: request.reason,
            command: request.command
        )
        // The lock that came meanwhile ends it before it began.
        try state.withLock { state throws(Refusal) in
            guard state.opening == opening, state.open != nil else { throw .locked }
            leases.add(
                LeaseBook.Held(
                    lease: lease,
                    request: kept,
                    root: root,
                    holder: ObjectIdentifier(caller.peer),
                    revisions: revisions
                )
            )
        }
        return number
    }

    /// - Throws: which name is unknown or in the trash.
    private func revisions(of names: [String], in open: OpenVault?) throws(Refusal) -> [String: UInt64] {
        let found = try fromVault(open) { (vault) async throws(VaultError) in
            var found: [String: UInt64] = [:]
            for name in names {
                do throws(VaultError) {
                    found.merge(try await vault.revisions(of: [name])) { $1 }
                } catch {
                    guard case .secret = error else { throw error }
                    return Result<[String: UInt64], UnknownName>.failure(
                        UnknownName(name: name, error: error)
                    )
                }
            }
            return .success(found)
        }
        do throws(UnknownName) {
            return try found.get()
        } catch {
            var refusal = Refusal(error.error.explanation)
            if Refusal.isPlain(error.name) { refusal.message += ": \(error.name)" }
            throw refusal
        }
    }

    /// Ends a lease.
    ///
    /// - Throws: `unknownLease` for an unknown or ended lease.
    package func endLease(_ number: UInt64, by caller: ControlCaller) throws(Refusal) {
        let ended = leases.end(number, at: BootTime.now())
        guard !ended.isEmpty else { throw .unknownLease }
        noteEnd(of: ended, by: requester(caller.peer))
    }

    /// Ends the leases of a caller that has hung up.
    package func endLeases(of caller: ControlCaller) {
        noteEnd(of: leases.forget(ObjectIdentifier(caller.peer), at: BootTime.now()), by: nil)
    }

    /// An end that cannot be written down is one all the same.
    private func noteEnd(of ended: [Lease], by requester: Requester?) {
        for lease in ended {
            var entry = AuditEntry(.rule, .allowed, time: 0, act: AuditEntry.leaseEnd)
            entry.subject = lease.secrets.sorted().joined(separator: ", ")
            if let requester { entry.add(requester) }
            try? write(entry, .allowed, Reason.leaseCode(lease.number))
        }
    }

    /// The secrets of acts that a lease allows are still those for which it was given: not changed, renamed or put back.
    ///
    /// A commit has a number that no other has. So a secret that is unchanged after it was read was so while it was read.
    ///
    /// - Throws: `leaseIsOver`; `leaseChanged`.
    func checkLeased(_ leased: LeasedNames, isAfter: Bool = false) throws(Refusal) {
        guard let revisions = leases.revisions(of: leased.number, at: BootTime.now()) else {
            throw .leaseIsOver
        }
        let present = try? fromVault { (vault) async throws(VaultError) in
            try await vault.revisions(of: leased.names)
        }
        guard let present, present.allSatisfy({ revisions[$0.key] == $0.value }),
            present.count == leased.names.count
        else { throw .leaseChanged }
        if isAfter { leases.wasUsed(leased.number, times: leased.names.count) }
    }
}

/// Secrets that a lease lets out in one call.
package struct LeasedNames: Sendable {
    let number: UInt64
    var names: [String]
}

/// A name without a secret.
private struct UnknownName: Error {
    let name: String
    let error: VaultError
}
