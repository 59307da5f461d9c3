package import AgentProtocol
internal import Audit
internal import Glibc
internal import Synchronization
internal import VaultKit
package import VaultPolicy

/// The one place where the agent decides: the policy's verdict, the question where there is one, the entry in the
/// audit log, and only then the answer.
///
/// What cannot be written down is not done. It waits for people and disks, so it is called on threads of our own.
package final class Gate: Sendable {
    /// Seconds for which a yes may hold, if the person wants that.
    package static let remembering = 3_600
    /// Seconds for which the rules that were read are believed; after a change by this agent, none.
    private static let cacheLifetime: UInt64 = 1

    struct State {
        var policy: Policy
        var open: OpenVault?
        var log: AuditLog?
        /// Why there is no log while the vault is open.
        var fault: VaultError?
        /// Counts openings and locks: an answer to a question of before counts for nothing.
        var turns: UInt64 = 0
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
        /// Over when the vault is locked: questions for programs on the bus end with it.
        var lock: Cancellation?
    }

    /// Asks for those who have no terminal of their own: what comes over the ssh socket.
    let prompter: (any Prompter)?
    let programs: OwnPrograms
    /// Limits what programs on the bus may ask and write down.
    package let limiter: RateLimiter
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

    /// Lets an act happen, or refuses it; when it returns, the act is in the log.
    ///
    /// - Parameters:
    ///   - act: what is to happen, and to what.
    ///   - requester: the program that wants it.
    ///   - prompter: reaches the person; nil where the person may not be asked.
    ///   - cancellation: the interest of the waiting caller.
    /// - Throws: why it is refused: the policy, the person or the lack of an answer; `locked` when the vault
    ///   is locked, or was meanwhile; also when the log cannot be written.
    package func permit(
        _ act: Act,
        by requester: Requester,
        asking prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        try permit([act], of: nil, by: requester, asking: prompter, cancellation)
    }

    /// Lets several acts of one call happen, or none of them: each has its own verdict and its own entry in
    /// the log.
    ///
    /// What is refused is refused before anything is asked. Those that have to be asked about are one
    /// question, or as many as it takes to show all of them. `request` is the call; it is nil for a
    /// signature.
    func permit(
        _ acts: [Act],
        of request: OperationRequest?,
        by requester: Requester,
        asking prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        func entry(_ act: Act) -> AuditEntry { AuditEntry(act, by: requester, request?.audit) }
        var turn: UInt64?
        var reasons: [(act: Act, code: String)] = []
        var asked: [(act: Act, code: String)] = []
        var mayRemember = true
        for act in acts {
            let (verdict, number) = try verdict(on: act, by: requester)
            // The rules of one vault decide about all of them.
            guard number == turn ?? number else { throw .locked }
            turn = number
            switch verdict {
            case .allow(let reason): reasons.append((act, reason.code))
            case .deny(let reason):
                note(entry(act), .refused, reason.code)
                throw .policy(reason)
            case .ask(let reason, let mayRememberThis):
                asked.append((act, reason.code))
                mayRemember = mayRemember && mayRememberThis
            }
        }
        guard let turn else { return }
        if !asked.isEmpty {
            do throws(Refusal) {
                let acts = asked.map(\.act)
                try ask(
                    about: acts,
                    of: request?.policy,
                    by: requester,
                    mayRemember: mayRemember,
                    turn,
                    prompter,
                    cancellation
                )
            } catch {
                for (act, code) in asked {
                    note(entry(act), .refused, "\(code):\(error.name)")
                }
                throw error
            }
        }
        for (act, code) in reasons + asked.map({ ($0.act, "\($0.code):yes") }) {
            let entry = entry(act)
            try write(entry, .allowed, code, turn: turn, isDurable: entry.mustLast)
        }
    }

    /// From now on, for some seconds, rules are read again each time: they may be changing.
    func doubtRules() {
        state.withLock { $0.doubted = BootTime.now() + 5 }
    }

    // MARK: Verdicts

    private func verdict(on act: Act, by requester: Requester) throws(Refusal) -> (Verdict, UInt64) {
        try refreshRules()
        let (time, moment) = (WallTime.now(), BootTime.now())
        let result: (Verdict, UInt64)? = state.withLock { state in
            guard state.open != nil else { return nil }
            let verdict = state.policy.verdict(on: act, by: requester, time: time, moment: moment)
            return (verdict, state.turns)
        }
        guard let result else { throw .locked }
        return result
    }

    /// Reads the rules again when the vault is another one than when they were read.
    func refreshRules() throws(Refusal) {
        let now = BootTime.now()
        let (open, known, isBelieved) = state.withLock { state in
            (
                state.open, state.generation,
                state.generation != nil && state.doubted <= now && now < state.looked + Self.cacheLifetime
            )
        }
        guard let open else { throw .locked }
        guard !isBelieved else { return }
        do {
            let generation = try open.generation()
            var rules: [Rule]?
            if generation != known {
                rules = try open.use { () throws(VaultError) in
                    try Blocking.wait { () async throws(VaultError) in try await open.vault.rules() }
                }
            }
            state.withLock { state in
                guard state.open === open else { return }
                if let rules { state.policy.rules = rules }
                (state.generation, state.looked) = (generation, now)
            }
        } catch {
            // With rules that cannot be read, it is not known what they refuse.
            throw Refusal(VaultError(gate: error))
        }
    }
}
