internal import AgentProtocol
internal import Glibc
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// The one place where the agent decides: the policy's verdict, the question where there is one, the entry in the
/// audit log, and only then the answer.
///
/// What cannot be written down is not done. It waits for people and disks, so it is called on threads of our own.
package final class Gate: Sendable {
    /// Seconds for which a yes may hold, if the person wants that.
    package static let remembering = 3_600
    /// Seconds for which the rules that were read are believed; after a change by this agent, none.
    static let cacheLifetime: UInt64 = 1

    struct State {
        var policy: Policy
        var open: OpenVault?
        var log: AuditLog?
        /// Why there is no log while the vault is open.
        var fault: VaultError?
        /// Counts openings and locks: an answer to a question of before counts for nothing.
        var opening: UInt64 = 0
        /// The commit whose rules `policy` has; nil for none.
        var generation: UInt64?
        /// When that was looked at, and until when it is looked at each time.
        var looked: UInt64 = 0
        var doubted: UInt64 = 0
        /// The program on the bus that has the vault locked.
        var locker: Requester?
        /// The lock that comes is in the log already.
        var isLockNoted = false
        /// What was tried while there was no log; kept over openings until it is written.
        var tries = UnlockTries()
        /// Over when the vault is locked: questions end with it.
        var lock: Cancellation?
    }

    /// Asks for programs that have no terminal of their own.
    let prompter: (any Prompter)?
    let programs: OwnPrograms
    /// Limits what programs on the bus may ask and write down.
    package let limiter: RateLimiter
    /// What commands may use that a person started for that.
    package let leases = LeaseBook()
    let state: Mutex<State>
    /// Commands that questions have named as another way; each is named once.
    let hints = Mutex<Set<String>>([])

    /// A gate for the vault of the user who runs this program.
    ///
    /// - Parameters:
    ///   - prompter: asks about ssh; nil where no one can be asked.
    ///   - programs: which programs count as our own.
    ///   - moment: seconds of a clock that cannot be set, for the limits on programs on the bus.
    package init(
        prompter: (any Prompter)?,
        programs: OwnPrograms = .beside(),
        moment: @escaping @Sendable () -> UInt64 = { BootTime.now() }
    ) {
        limiter = RateLimiter(clock: moment)
        self.prompter = prompter
        self.programs = programs
        state = Mutex(State(policy: Policy(owner: geteuid())))
    }
}

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
