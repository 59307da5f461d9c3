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

    /// Writes an entry of a program on the bus for which no person was asked; what is in the log already is counted there.
    ///
    /// - Parameters:
    ///   - entry: what happens.
    ///   - verdict: how it comes out.
    ///   - reason: why.
    ///   - program: the name of the program.
    ///   - turn: the opening of the vault that it is about; nil for the present one.
    /// - Throws: as `write`.
    func writeOnce(
        _ entry: AuditEntry,
        _ verdict: AuditVerdict,
        _ reason: String,
        of program: String,
        turn: UInt64?
    ) throws(Refusal) {
        var entry = entry
        (entry.verdict, entry.reason) = (verdict, reason)
        let due = try state.withLock { state throws(Refusal) in
            guard state.open != nil, turn ?? state.turns == state.turns else { throw .locked }
            return limiter.due(entry, of: program)
        }
        for count in due.counts { note(count, count.verdict, count.reason) }
        guard let entry = due.entry else { return }
        try write(entry, entry.verdict, entry.reason, turn: turn)
        // Only now: another call must not go on before this one has its entry.
        state.withLock { state in
            if state.open != nil { limiter.logged(entry, of: program) }
        }
    }

    /// The same for a refusal: it stays refused in any case.
    func noteOnce(_ entry: AuditEntry, _ reason: String, of program: String) {
        try? writeOnce(entry, .refused, reason, of: program, turn: nil)
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
