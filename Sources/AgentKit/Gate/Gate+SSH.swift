internal import AgentProtocol
internal import Audit
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

    /// Writes down what is done to the keys, before it is; false where that cannot be.
    package func records(_ change: RingChange, for connection: Connection) -> Bool {
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
        entry.add(requester(connection.peer))
        return (try? record(entry)) != nil
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
        return Requester(
            uid: peer.uid,
            pid: peer.pid,
            program: program,
            chain: program == .unknown ? [] : peer.chain,
            inside: program == .unknown ? [] : peer.inside
        )
    }
}
