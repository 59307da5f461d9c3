internal import AgentProtocol
internal import Glibc
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// The one place where the agent decides: the policy's decision, a prompt if necessary, the entry in the audit log,
/// and only then the response.
///
/// An act that cannot be logged does not happen. The gate waits for people and disks, so it is called on threads of
/// our own.
package final class Gate: Sendable {
    /// The longest duration of a remembered approval in seconds.
    package static let remembering = 3_600
    /// The seconds for which the rules are cached; after a change by this agent they are read again.
    static let cacheLifetime: UInt64 = 1

    struct State {
        var policy: Policy
        var open: OpenVault?
        var log: AuditLog?
        /// The reason why the open vault has no log.
        var fault: VaultError?
        /// The number of openings and locks: an answer to an older prompt has no effect.
        var opening: UInt64 = 0
        /// The commit from which the rules in `policy` were read; nil for none.
        var generation: UInt64?
        /// The time of the last check, and the time until which every decision checks again.
        var looked: UInt64 = 0
        var doubted: UInt64 = 0
        /// The program on the bus that requested the lock.
        var locker: Requester?
        /// Whether the coming lock is already in the log.
        var isLockNoted = false
        /// The tries without a log, which are kept over openings until they are written.
        var tries = UnlockTries()
        /// Ends when the vault is locked, and all prompts with it.
        var lock: Cancellation?
    }

    /// The prompter for programs without a terminal of their own.
    let prompter: (any Prompter)?
    let programs: OwnPrograms
    /// Limits the prompts and log entries of programs on the bus.
    package let limiter: RateLimiter
    /// The leases of commands.
    package let leases = LeaseBook()
    let state: Mutex<State>
    /// The commands that prompts have suggested as another way; each is suggested once.
    let hints = Mutex<Set<String>>([])

    /// Creates a gate for the vault of the user who runs this program.
    ///
    /// - Parameters:
    /// - prompter: asks about ssh; nil if nobody can be asked.
    /// - programs: hsip's own programs.
    /// - moment: returns seconds of a clock that cannot be set, for the limits of programs on the bus.
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
    /// Logs an act that needs no decision, before it happens.
    func record(_ entry: AuditEntry) throws(Refusal) {
        try write(entry, entry.verdict, entry.reason)
    }

    /// Logs a refusal if possible; the act stays refused in any case.
    func note(_ entry: AuditEntry, _ reason: String, limitedAs program: String? = nil) {
        try? write(entry, .refused, reason, limitedAs: program)
    }

    /// Writes a log entry.
    ///
    /// - Parameters:
    /// - entry: the act.
    /// - verdict: the decision.
    /// - reason: the reason of the decision.
    /// - opening: the opening of the vault that it is about; nil for the current one.
    /// - program: the name of a program on the bus for which no person was asked: an entry that is already in the log
    /// is only counted. Nil for an entry that is written in any case.
    /// - Throws: the error of the log; `locked` if the vault is locked, or was opened again.
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
        // Only now: another call must not continue before this one has its entry.
        state.withLock { state in
            if state.open != nil { limiter.logged(entry, of: program) }
        }
    }

    /// Writes an entry unchanged and returns its number.
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
