internal import AgentProtocol
internal import Audit
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// Questions for programs on the bus.
extension Gate {
    /// Seconds for which a yes to a program on the bus holds: its library reads twice.
    static let grant: UInt64 = 60

    /// Asks about what there is to ask about now that the question of the program is next.
    ///
    /// - Returns: the acts that may happen.
    func asked(
        _ request: OperationRequest,
        _ program: BusCaller,
        _ requester: Requester,
        _ cancellation: Cancellation
    ) throws(Refusal) -> [ItemAct] {
        let judged = try judge(request, program, requester)
        var permitted = judged.permitted
        do throws(Refusal) {
            let asked = try refuseBlocked(judged.asked, of: request, requester)
            guard !asked.isEmpty else { return permitted }
            do throws(Refusal) {
                try ask(about: asked, program, requester, judged.turn, cancellation)
                try requireSame(program, requester)
            } catch {
                for act in asked {
                    note(entry(act.act, request, requester), .refused, "\(act.code):\(error.name)")
                }
                throw error
            }
            permitted += asked.map(\.answered)
            // What only opens an item is followed by its use.
            if request.audit == nil { allowNextReads(of: asked, program) }
        } catch {
            guard request.leavesOut, !permitted.isEmpty, error != .locked, error != .cancelled else {
                throw error
            }
        }
        return permitted
    }

    /// Those that may be asked about; the others are refused unasked, which is written down.
    ///
    /// - Throws: `blocked` if there are none, or if the others cannot be left out.
    @discardableResult
    func refuseBlocked(
        _ asked: [ItemAct],
        of request: OperationRequest,
        _ requester: Requester
    ) throws(Refusal) -> [ItemAct] {
        let name = RateLimiter.name(of: requester)
        let isCrowded = !asked.isEmpty && limiter.isCrowded(for: name)
        let open = asked.filter { act in
            guard isCrowded || limiter.blocks(act.item, of: name) else { return true }
            noteOnce(entry(act.act, request, requester), "\(act.code):quiet", of: name)
            return false
        }
        guard open.count == asked.count || request.leavesOut && !open.isEmpty else { throw .blocked }
        return open
    }

    private func ask(
        about asked: [ItemAct],
        _ program: BusCaller,
        _ requester: Requester,
        _ turn: UInt64,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        let acts = asked.map(\.act)
        guard let prompter else { throw .nobodyToAsk(about: acts, by: requester) }
        let lock = state.withLock { $0.turns == turn ? $0.lock : nil }
        guard let lock, let interest = try? Cancellation(under: [cancellation, lock]) else { throw .locked }
        let name = RateLimiter.name(of: requester)
        let longer = longerYes(asked, requester)
        var isLonger = longer != nil
        for question in QuestionText.items(acts, by: requester, longer: longer?.text) {
            switch try answer(question, asked, program, requester, prompter, interest, lock) {
            case .deny:
                limiter.wasRefused(name, about: asked.map(\.item))
                throw .dismissed
            case .once, .remember: isLonger = false
            case .lasting: continue
            }
        }
        limiter.wasAccepted(name)
        // What it is let have for good goes to the program that the question named, or to none.
        try requireSame(program, requester)
        try state.withLock { state throws(Refusal) in
            // The yes was meant for the vault that was open when it was asked for.
            guard state.turns == turn else { throw .locked }
            for act in asked.filter(\.mayRemember).flatMap(\.act.approved) {
                guard let approval = Approval(act, by: requester) else { continue }
                state.policy.remembered.remember(approval, for: Self.grant, at: BootTime.now())
            }
            guard isLonger, longer?.reader == nil else { return }
            for act in acts {
                guard let approval = Approval(act, by: requester, forScript: true) else { continue }
                state.policy.remembered.remember(approval, for: Remembered.longest, at: BootTime.now())
            }
        }
        if isLonger, let reader = longer?.reader {
            try admit(reader, isScript: reader == requester.scriptIdentity, to: acts, requester)
        }
    }

    /// A yes was meant for the program that the question named.
    ///
    /// - Throws: `programEnded` where the process ended, or became another one.
    func requireSame(_ program: BusCaller, _ requester: Requester) throws(Refusal) {
        guard program.isSame else { throw .programEnded }
        let present = program.presentRequester
        guard present.bus?.identity == requester.bus?.identity, present.script == requester.script else {
            throw .programEnded
        }
    }

    private func answer(
        _ question: ConfirmQuestion,
        _ asked: [ItemAct],
        _ program: BusCaller,
        _ requester: Requester,
        _ prompter: any Prompter,
        _ interest: Cancellation,
        _ lock: Cancellation
    ) throws(Refusal) -> Confirmation {
        do throws(PromptError) {
            return try prompter.confirm(question, interest)
        } catch {
            if lock.isCancelled { throw .locked }
            // What a program takes back, or nobody answers, was asked all the same.
            var isLeft = error == .cancelled && program.hasLeft()
            if case .timedOut = error { isLeft = true }
            if isLeft {
                limiter.wasRefused(RateLimiter.name(of: requester), about: asked.map(\.item))
            }
            let refusal = Refusal.unanswered(error)
            throw refusal == .nobodyToAsk
                ? .nobodyToAsk(about: asked.map(\.act), by: requester) : refusal
        }
    }

    /// The longer yes that the question offers, and the program that it makes a reader of the items; nil for neither.
    ///
    /// A script becomes a reader only if root alone can change it. For any other script the yes ends with the lock.
    private func longerYes(
        _ asked: [ItemAct],
        _ requester: Requester
    ) -> (text: LongerYes, reader: ProgramIdentity?)? {
        guard let program = requester.bus?.identity,
            asked.allSatisfy({ act in
                act.mayRemember && !act.isByRule && act.act.kind == .item && act.act.item != nil
            })
        else { return nil }
        let acts = asked.map(\.act)
        let script = requester.scriptIdentity
        if script == nil, requester.script?.kind == .file {
            return (QuestionText.session(acts, by: requester), nil)
        }
        let text = QuestionText.always(acts, by: requester, isScript: script != nil)
        return (text, script ?? program)
    }

    private func allowNextReads(of asked: [ItemAct], _ program: BusCaller) {
        state.withLock { state in
            for act in asked where !act.mayRemember {
                guard let item = act.act.item?.id else { continue }
                let approval = Approval(nextReadOf: item, over: program.connection)
                state.policy.remembered.remember(approval, for: Self.grant, at: BootTime.now())
            }
        }
    }

    /// Writes into the items, and into the log before, that a program has them for good.
    private func admit(
        _ program: ProgramIdentity,
        isScript: Bool,
        to acts: [Act],
        _ requester: Requester
    ) throws(Refusal) {
        guard let open = state.withLock({ $0.open }) else { throw .locked }
        for act in acts {
            var entry = AuditEntry(.rule, .allowed, time: 0, act: ItemOperation.access, subject: act.subject)
            entry.add(requester)
            if isScript { entry.target = program.text }
            try record(entry, isDurable: true)
        }
        do throws(VaultError) {
            let ids = acts.compactMap { $0.item?.id }
            _ = try open.use { () throws(VaultError) in
                try Blocking.wait { () async throws(VaultError) in
                    try await open.vault.admit(program, to: ids, isScript: isScript)
                }
            }
        } catch {
            throw Refusal(error)
        }
    }
}
