internal import AgentProtocol
internal import Audit
internal import Synchronization
internal import VaultKit
package import VaultPolicy

extension Gate: SSHGate {
    /// Whether an act may happen now; when it says yes, that is in the log already.
    package func permits(_ act: Act, for connection: Connection, until interest: Cancellation) -> Bool {
        do throws(Refusal) {
            try permit(act, by: requester(connection.peer), asking: prompter, interest)
            return true
        } catch {
            return false
        }
    }

    /// Whether a change that another machine wants may happen now; when it says yes, that is in the log already.
    ///
    /// Each time a person is asked: nothing is remembered, and no rule answers.
    package func permits(
        _ change: RingChange,
        through hosts: [String],
        for connection: Connection,
        until interest: Cancellation
    ) -> Bool {
        let requester = requester(connection.peer)
        let entry = entry(of: change, by: requester)
        let code = Reason.row(.forwarded).code
        do throws(Refusal) {
            let (isOpen, turn) = state.withLock { ($0.open != nil, $0.turns) }
            guard isOpen else { throw .locked }
            try confirm(QuestionText.adding(change, through: hosts, by: requester), interest)
            // The yes was meant for the vault that was open when it was asked for.
            try write(entry, .allowed, "\(code):yes", turn: turn)
            return true
        } catch {
            note(entry, .refused, "\(code):\(error.name)")
            return false
        }
    }

    private func confirm(_ question: ConfirmQuestion, _ interest: Cancellation) throws(Refusal) {
        guard let prompter else { throw .nobodyToAsk }
        let answer: Confirmation
        do throws(PromptError) { answer = try prompter.confirm(question, interest) } catch {
            throw .unanswered(error)
        }
        guard answer != .deny else { throw .dismissed }
    }

    /// Writes down what is done to the keys, before it is; false where that cannot be.
    package func records(_ change: RingChange, for connection: Connection) -> Bool {
        (try? record(entry(of: change, by: requester(connection.peer)))) != nil
    }

    private func entry(of change: RingChange, by requester: Requester) -> AuditEntry {
        var entry = AuditEntry(.key, .allowed, time: 0)
        switch change {
        case .lend(let name, let fingerprint):
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

    /// Writes down that a bind was refused because of the key of its host.
    package func noteRefusal(of host: HostFacts, for connection: Connection) {
        let reason: Reason = .row(host.standing == .revoked ? .hostRevoked : .hostChanged)
        var entry = AuditEntry(.sign, .refused, time: 0, act: "bind")
        entry.target = host.names.first ?? host.fingerprint
        entry.add(requester(connection.peer))
        note(entry, .refused, reason.code)
    }

    /// Who asks over the ssh socket.
    ///
    /// No client has a terminal there: the agent asks in its own way.
    private func requester(_ peer: Peer) -> Requester {
        let program = programs.program(peer.speakerNow)
        // Who cannot be told has no ancestors that mean anything.
        var requester = Requester(
            uid: peer.uid,
            pid: peer.pid,
            program: program,
            chain: program == .unknown ? [] : peer.chain,
            inside: program == .unknown ? [] : peer.inside
        )
        if program != .unknown { requester.script = peer.script }
        return requester
    }
}
