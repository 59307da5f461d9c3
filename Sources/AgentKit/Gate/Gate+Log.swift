internal import AgentProtocol
internal import Synchronization
internal import VaultKit

extension Gate {
    /// Writes down what needs no verdict, before it is done.
    func record(_ entry: AuditEntry) throws(Refusal) {
        try write(entry, entry.verdict, entry.reason)
    }

    /// Writes down a refusal, as far as that goes: it stays refused in any case.
    func note(_ entry: AuditEntry, _ reason: String, limitedAs program: String? = nil) {
        try? write(entry, .refused, reason, limitedAs: program)
    }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - entry: what happens.
    ///   - verdict: how it comes out.
    ///   - reason: why.
    ///   - opening: the opening of the vault that it is about; nil for the present one.
    ///   - program: the name of a program on the bus for which no person was asked: an entry that is in the log already is
    ///     counted. Nil for an entry that is written in any case.
    /// - Throws: why the log cannot be written; `locked` if the vault is locked, or was opened again.
    func write(
        _ entry: AuditEntry,
        _ verdict: AuditVerdict,
        _ reason: String,
        in opening: UInt64? = nil,
        limitedAs program: String? = nil
    ) throws(Refusal) {
        var entry = entry
        (entry.verdict, entry.reason) = (verdict, reason)
        guard let program else {
            try append(entry, opening)
            return
        }
        let due = try state.withLock { state throws(Refusal) in
            guard state.open != nil, opening ?? state.opening == state.opening else { throw .locked }
            return limiter.due(entry, of: program)
        }
        for count in due.counts { _ = try? append(count, nil) }
        guard let entry = due.entry else { return }
        try append(entry, opening)
        // Only now: another call must not go on before this one has its entry.
        state.withLock { state in
            if state.open != nil { limiter.logged(entry, of: program) }
        }
    }

    /// Writes an entry as it is; its number.
    @discardableResult
    func append(_ entry: AuditEntry, _ opening: UInt64?) throws(Refusal) -> UInt64 {
        let (log, fault, present) = state.withLock { ($0.log, $0.fault, $0.opening) }
        guard opening ?? present == present else { throw .locked }
        guard let log else { throw fault.map { Refusal($0) } ?? .locked }
        var entry = entry
        entry.time = WallTime.milliseconds()
        do throws(AuditError) {
            return try log.append(entry, isDurable: entry.verdict == .allowed && entry.mustLast)
        } catch {
            throw Refusal(.audit(error))
        }
    }
}
