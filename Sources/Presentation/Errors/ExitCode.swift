/// How the program ends: one number a kind of outcome, the same in the C library, the agent and the JSON.
///
/// The numbers are never reused and never renumbered; `Schemas/exit-codes.json` is the same table.
package enum ExitCode: Int32, CaseIterable, Sendable {
    /// Done; warnings do not change it.
    case ok = 0
    /// Unexpected; ours to fix.
    case failure
    /// Wrong words or flags.
    case usage
    /// No such contact, secret, key, host, offer, session, or message for us.
    case notFound
    /// A name is taken, something changed meanwhile, a code is stale or one's own.
    case conflict
    /// The vault is locked and no one could be asked.
    case locked
    /// Policy, a revoked session or identity, a wrong passphrase, or the person said no.
    case denied
    /// A question was suppressed; the hint names the flag that answers it.
    case inputNeeded
    /// A session, code, certificate or secret is past its time.
    case expired
    /// No message left to send, or a restored session: renew first.
    case rekeyRequired
    /// A lock, prompt or backend did not answer in time.
    case busy
    /// Tampering, a bad signature or tag, a rollback.
    case integrity
    /// A backend, agent, device or helper program is missing, or the disk is full.
    case unavailable
    /// Not a readable code, message, key or file.
    case malformed
    /// A message read before, or a one-time code used by another person.
    case replay
    /// An identity or host key differs from the pinned one.
    case changed
}

extension ExitCode {
    /// The name in the table.
    package var name: StaticString {
        switch self {
        case .ok: "ok"
        case .failure: "failure"
        case .usage: "usage"
        case .notFound: "notFound"
        case .conflict: "conflict"
        case .locked: "locked"
        case .denied: "denied"
        case .inputNeeded: "inputNeeded"
        case .expired: "expired"
        case .rekeyRequired: "rekeyRequired"
        case .busy: "busy"
        case .integrity: "integrity"
        case .unavailable: "unavailable"
        case .malformed: "malformed"
        case .replay: "replay"
        case .changed: "changed"
        }
    }
}
