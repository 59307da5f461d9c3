package import AgentProtocol
package import Audit
internal import Synchronization
internal import VaultKit

extension Gate {
    /// Writes down what needs no verdict, before it is done.
    package func record(_ entry: AuditEntry, isDurable: Bool = false) throws(Refusal) {
        try write(entry, entry.verdict, entry.reason, turn: nil, isDurable: isDurable)
    }

    /// Writes down a refusal, as far as that goes: it stays refused in any case.
    package func note(_ entry: AuditEntry, _ verdict: AuditVerdict, _ reason: String) {
        try? write(entry, verdict, reason, turn: nil)
    }

    /// Writes an entry; with a turn, only for the vault that was open then.
    func write(
        _ entry: AuditEntry,
        _ verdict: AuditVerdict,
        _ reason: String,
        turn: UInt64?,
        isDurable: Bool = false
    ) throws(Refusal) {
        let (log, fault, turns) = state.withLock { ($0.log, $0.fault, $0.turns) }
        if let turn, turn != turns { throw .locked }
        guard let log else { throw fault.map { Refusal($0) } ?? .locked }
        var entry = entry
        entry.time = WallTime.milliseconds()
        entry.verdict = verdict
        entry.reason = reason
        do throws(AuditError) {
            try log.append(entry, isDurable: isDurable)
        } catch {
            throw Refusal(.audit(error))
        }
    }
}
