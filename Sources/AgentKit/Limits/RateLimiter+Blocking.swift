internal import AgentProtocol
internal import Synchronization

/// Which questions are not asked, because a person refused or left earlier ones.
extension RateLimiter {
    /// The answers that a person gave to one program.
    struct Answers: Sendable {
        /// The last refused questions: when, and about which items.
        var refusals: [(moment: UInt64, items: Set<String>)] = []
        /// Until when no question of the program is asked.
        var blockedUntil: UInt64 = 0
        /// Closed passphrase windows, when the last one was closed, and until when none is shown.
        var windows = 0
        var windowClosed: UInt64 = 0
        var windowUntil: UInt64 = 0
        /// Whether a person said yes to the program.
        var isAccepted = false
        /// When the last answer was given.
        var last: UInt64 = 0

        /// Until when questions of the program are blocked, all or those about some items.
        func end(at moment: UInt64) -> UInt64 {
            let refused = recent(at: moment).last.map { $0.moment + Limits.refusal }
            return max(blockedUntil, windowUntil, refused ?? 0)
        }

        /// The order in which answers make room for newer ones: 0 before 1 before 2.
        func rank(at moment: UInt64) -> Int { isAccepted ? 2 : moment < end(at: moment) ? 1 : 0 }

        func recent(at moment: UInt64) -> [(moment: UInt64, items: Set<String>)] {
            refusals.filter { moment < $0.moment + Limits.refusal }
        }
    }

    /// Whether a question of a program about an item is blocked by an earlier refusal; such a question is counted.
    func blocks(_ item: String, of program: String) -> Bool {
        let moment = clock()
        return refuses(\.afterNo) { state in
            guard let answers = state.programs[program] else { return false }
            return moment < answers.blockedUntil
                || answers.recent(at: moment).contains { $0.items.contains(item) }
        }
    }

    /// Whether the passphrase window is blocked for a program, because it was closed before; such a window is counted.
    func blocksWindow(of program: String) -> Bool {
        let moment = clock()
        return refuses(\.afterWindow) { moment < $0.programs[program]?.windowUntil ?? 0 }
    }

    /// Whether programs like this one left too many questions of this minute unanswered, passphrase windows among them; a
    /// question that is not asked for that is counted.
    ///
    /// A program can copy itself and be another one each time. So this holds for all programs in places that the user can
    /// write to, unless a person said yes to them.
    func isCrowded(for program: String) -> Bool {
        guard !isOfSystem(program) else { return false }
        let moment = clock()
        return refuses(\.tooOften) { state in
            state.programs[program]?.isAccepted != true
                && state.unanswered.count { moment < $0 + Limits.minute } >= Limits.unanswered
        }
    }

    /// A person refused a question of a program, or it was left unanswered; it counts once, however many items it had.
    func wasRefused(_ program: String, about items: [String]) {
        answer(to: program, isUnanswered: true) { answers, moment in
            answers.refusals = answers.recent(at: moment).suffix(Limits.refusals - 1)
            answers.refusals.append((moment, Set(items.prefix(Limits.items))))
            if answers.refusals.count == Limits.refusals { answers.blockedUntil = moment + Limits.block }
        }
    }

    /// A person said yes to a program.
    func wasAccepted(_ program: String) {
        answer(to: program, isUnanswered: false) { answers, _ in answers.isAccepted = true }
    }

    /// A person closed the passphrase window that named a program, or it was left unanswered.
    func closedWindow(of program: String) {
        answer(to: program, isUnanswered: true) { answers, moment in
            if moment >= answers.windowClosed + Limits.windowMemory { answers.windows = 0 }
            let time = Limits.windows[min(answers.windows, Limits.windows.count - 1)]
            answers.windows += 1
            (answers.windowClosed, answers.windowUntil) = (moment, moment + time)
        }
    }

    /// The programs that are blocked at present, by name, and how many questions were not asked.
    func blocked() -> (programs: [BlockedProgram], refusals: Int) {
        let moment = clock()
        return state.withLock { state in
            let programs = state.programs.sorted { $0.key < $1.key }.compactMap { program, answers in
                let recent = answers.recent(at: moment)
                let forAll = max(answers.blockedUntil, answers.windowUntil)
                let end = answers.end(at: moment)
                guard moment < end else { return BlockedProgram?.none }
                let items = recent.reduce(into: Set()) { $0.formUnion($1.items) }
                return BlockedProgram(
                    program: program,
                    items: moment < forAll ? nil : items.count,
                    seconds: Int(clamping: end - moment)
                )
            }
            return (programs, state.refused.sum)
        }
    }

    /// Forgets all answers, and asks about all programs again.
    package func unblockAll() {
        state.withLock { state in
            (state.programs, state.unanswered, state.refused) = ([:], [], UnaskedRefusals())
        }
    }

    private func refuses(
        _ reason: any WritableKeyPath<UnaskedRefusals, Int> & Sendable,
        _ isRefused: (State) -> Bool
    ) -> Bool {
        state.withLock { state in
            guard isRefused(state) else { return false }
            state.refused[keyPath: reason] += 1
            return true
        }
    }

    private func answer(
        to program: String,
        isUnanswered: Bool,
        _ change: (inout Answers, UInt64) -> Void
    ) {
        let moment = clock()
        let isCounted = isUnanswered && !isOfSystem(program)
        state.withLock { state in
            if state.programs[program] == nil, state.programs.count >= Limits.programs,
                let first = state.programs.min(by: { one, other in
                    let ranks = (one.value.rank(at: moment), other.value.rank(at: moment))
                    return ranks.0 == ranks.1 ? one.value.last < other.value.last : ranks.0 < ranks.1
                })
            {
                state.programs[first.key] = nil
            }
            var answers = state.programs[program] ?? Answers()
            change(&answers, moment)
            answers.last = moment
            state.programs[program] = answers
            guard isCounted else { return }
            state.unanswered = state.unanswered.suffix(Limits.unanswered - 1) + [moment]
        }
    }
}
