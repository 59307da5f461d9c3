internal import AgentProtocol
internal import Presentation
package import SSHFormats
internal import Synchronization
internal import VaultKit
package import VaultPolicy

extension Gate: SSHGate {
    /// Whether an act is permitted; a permitted act is in the log when this returns.
    package func permits(_ act: Act, for connection: Connection, until interest: Cancellation) -> Bool {
        var call = call(of: connection, interest)
        call.acts = [act]
        do throws(Refusal) {
            try permit(&call)
            if let leased = call.leased { try checkLeased(leased, isAfter: true) }
            return true
        } catch {
            return false
        }
    }

    /// Whether a change that another machine requests is permitted; a permitted change is in the log when this
    /// returns.
    ///
    /// A person is asked each time: no approval is remembered, and no rule decides.
    package func permits(
        _ change: RingChange,
        through hosts: [String],
        for connection: Connection,
        until interest: Cancellation
    ) -> Bool {
        let call = call(of: connection, interest)
        let entry = entry(of: change, by: call.requester)
        let code = Reason.row(.forwarded).code
        do throws(Refusal) {
            let (isOpen, opening) = state.withLock { ($0.open != nil, $0.opening) }
            guard isOpen else { throw .locked }
            let question = QuestionText.adding(change, through: hosts, by: call.requester)
            _ = try answers(to: [question], about: [], call, opening)
            // The approval is for the vault that was open when the prompt was shown.
            try write(entry, .allowed, "\(code):yes", in: opening)
            return true
        } catch {
            note(entry, "\(code):\(error.name)")
            return false
        }
    }

    /// Returns the prompter that shows an act while its security key waits for a touch; nil if the vault is locked.
    ///
    /// Its prompts end with a lock of the vault.
    package func person(
        for act: Act,
        of connection: Connection,
        until interest: Cancellation
    ) -> SecurityKeySigner.Person? {
        guard case .sign(let key, _, _) = act, let lock = state.withLock({ $0.lock }),
            let interest = try? Cancellation(under: [interest, lock])
        else { return nil }
        let (lines, name) = QuestionText.touch(act, key, by: requester(of: connection))
        return SecurityKeySigner.Person(prompter, lines: lines, key: name, until: interest)
    }

    /// Logs that a permitted act failed.
    package func noteFailure(of act: Act, _ fault: SecurityKeyFault, for connection: Connection) {
        let entry = AuditEntry(act, by: requester(of: connection))
        try? write(entry, .failed, fault.explanation.name)
    }

    /// Whether a person may be asked for a client; a command inside a lease does not wait for a person.
    package func asks(_ connection: Connection) -> Bool { leases.lease(of: connection.peer) == nil }

    private func call(of connection: Connection, _ interest: Cancellation) -> GateCall {
        let requester = requester(of: connection)
        let prompter = requester.lease == nil ? prompter : nil
        return GateCall(requester: requester, prompter: prompter, cancellation: interest)
    }

    /// Logs a change of the keys before it happens; false if the log fails.
    package func records(_ change: RingChange, for connection: Connection) -> Bool {
        (try? record(entry(of: change, by: requester(of: connection)))) != nil
    }

    private func entry(of change: RingChange, by requester: Requester) -> AuditEntry {
        var entry = AuditEntry(.key, .allowed, time: 0)
        switch change {
        case .add(let name, let fingerprint):
            (entry.act, entry.subject, entry.target) = ("lend", name, fingerprint)
        case .store(let name, let fingerprint):
            (entry.act, entry.subject, entry.target) = ("store", name, fingerprint)
        case .remove(let name, let fingerprint):
            (entry.act, entry.subject, entry.target) = ("remove", name, fingerprint)
        case .removeAll(let count): (entry.act, entry.subject) = ("remove-all", "\(count)")
        }
        entry.add(requester)
        return entry
    }

    /// Logs that a session binding was refused because of its host's key.
    package func noteRefusal(of host: HostFacts, for connection: Connection) {
        let reason: Reason = .row(host.status == .revoked ? .hostRevoked : .hostChanged)
        var entry = AuditEntry(.sign, .refused, time: 0, act: "bind")
        entry.target = host.names.first ?? host.fingerprint
        entry.add(requester(of: connection))
        note(entry, reason.code)
    }

    /// Returns the requester on the ssh socket.
    ///
    /// No client has a terminal there: the agent asks in its own way.
    private func requester(of connection: Connection) -> Requester {
        let peer = connection.peer
        return Requester(
            peer,
            programs.program(peer.speakerNow),
            lease: leases.lease(of: peer)
        )
    }
}
