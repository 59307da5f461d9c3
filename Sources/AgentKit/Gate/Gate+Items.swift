package import AgentProtocol
internal import Synchronization
package import VaultKit
internal import VaultPolicy

extension Gate {
    /// Seconds for which a yes to a program on the bus holds: its library reads twice.
    static let grant: UInt64 = 60

    /// Lets a call for a program on the bus through, or refuses it; what is let through is in the log when this returns.
    ///
    /// Of a call for values each item has its own verdict: what is refused, and what cannot be asked about, is left out of the
    /// answer. Any other call is refused as a whole.
    package func permit(
        _ request: OperationRequest,
        for program: BusCaller,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Caller {
        guard request.isForBus else { throw .notForBus }
        let requester = program.requester
        guard program.isSame else { throw .programEnded }
        try refreshRules()
        let (acts, turn) = try itemActs(of: request, by: requester)
        var (permitted, asked) = try sorted(acts, of: request, by: requester)
        if !asked.isEmpty {
            do throws(Refusal) {
                try ask(about: asked, by: requester, turn, cancellation)
                // Meanwhile it may have become another one.
                guard program.isSame, program.requester.bus?.identity == requester.bus?.identity else {
                    throw .programEnded
                }
                permitted += asked.map { ItemAct(act: $0.act, code: "\($0.code):yes", mayRemember: false) }
            } catch {
                for act in asked {
                    note(entry(act.act, request, requester), .refused, "\(act.code):\(error.name)")
                }
                guard request.leavesOut, !permitted.isEmpty, error != .locked, error != .cancelled else {
                    throw error
                }
                asked = []
            }
        }
        // What only opens an item is written down when its value leaves.
        if request.audit != nil {
            for act in permitted {
                try write(entry(act.act, request, requester), .allowed, act.code, turn: turn)
            }
            if let entry = request.entry(besides: permitted.map(\.act), by: requester) { try record(entry) }
        }
        return try state.withLock { state throws(Refusal) in
            guard state.turns == turn else { throw .locked }
            return .bus(
                BusAccess(
                    requester,
                    policy: state.policy,
                    time: WallTime.now(),
                    moment: BootTime.now(),
                    permitted: permitted.map(\.act)
                )
            )
        }
    }

    /// An act with its verdict.
    private struct ItemAct {
        let act: Act
        let code: String
        let mayRemember: Bool
    }

    private func entry(_ act: Act, _ request: OperationRequest, _ requester: Requester) -> AuditEntry {
        AuditEntry(act, by: requester, request.audit)
    }

    private func itemActs(
        of request: OperationRequest,
        by requester: Requester
    ) throws(Refusal) -> (acts: [Act], turn: UInt64) {
        let (open, turn) = state.withLock { ($0.open, $0.turns) }
        guard let open else { throw .locked }
        do throws(VaultError) {
            let acts = try open.use { () throws(VaultError) in
                try Blocking.wait { () async throws(VaultError) in
                    try await open.vault.itemActs(of: request, by: requester)
                }
            }
            return (acts, turn)
        } catch {
            throw Refusal(error)
        }
    }

    /// Those that may happen, and those to ask about.
    private func sorted(
        _ acts: [Act],
        of request: OperationRequest,
        by requester: Requester
    ) throws(Refusal) -> (permitted: [ItemAct], asked: [ItemAct]) {
        let policy = state.withLock { $0.policy }
        let (time, moment) = (WallTime.now(), BootTime.now())
        var permitted: [ItemAct] = []
        var asked: [ItemAct] = []
        for act in acts {
            switch policy.verdict(on: act, by: requester, time: time, moment: moment) {
            case .allow(let reason):
                permitted.append(ItemAct(act: act, code: reason.code, mayRemember: false))
            case .ask(let reason, let mayRemember):
                guard request.holds else { continue }
                asked.append(ItemAct(act: act, code: reason.code, mayRemember: mayRemember))
            case .deny(let reason):
                note(entry(act, request, requester), .refused, reason.code)
                guard request.leavesOut else { throw .policy(reason) }
            }
        }
        // A call that would get nothing says so: that it was refused.
        if permitted.isEmpty, asked.isEmpty, !acts.isEmpty, request.holds { throw .itemRefused }
        return (permitted, asked)
    }

    private func ask(
        about asked: [ItemAct],
        by requester: Requester,
        _ turn: UInt64,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        let acts = asked.map(\.act)
        guard let prompter else { throw .nobodyToAsk(about: acts, by: requester) }
        let name = requester.bus?.identity?.text ?? "process \(requester.pid)"
        let items = acts.map { $0.item?.id ?? $0.subject }
        let now = BootTime.now()
        let isQuiet = state.withLock { state in
            state.quiet.refuses(items, to: name, at: now) || !state.quiet.takesPlace(at: now)
        }
        guard !isQuiet else { throw .quiet }
        for question in QuestionText.items(acts, by: requester) {
            switch try answer(question, acts, requester, prompter, cancellation) {
            case .deny:
                state.withLock { $0.quiet.said(noTo: name, about: items, at: BootTime.now()) }
                throw .dismissed
            case .once, .remember: continue
            }
        }
        let isForGood = try asksForGood(asked, requester, prompter, cancellation)
        try state.withLock { state throws(Refusal) in
            // The yes was meant for the vault that was open when it was asked for.
            guard state.turns == turn else { throw .locked }
            for act in asked where act.mayRemember {
                guard let approval = Approval(act.act, by: requester) else { continue }
                state.policy.remembered.remember(approval, for: Self.grant, at: BootTime.now())
            }
        }
        if let isForGood { try admit(isForGood, to: acts, requester) }
    }

    private func answer(
        _ question: ConfirmQuestion,
        _ acts: [Act],
        _ requester: Requester,
        _ prompter: any Prompter,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Confirmation {
        do throws(PromptError) {
            return try prompter.confirm(question, cancellation)
        } catch {
            let refusal = Refusal.unanswered(error)
            throw refusal == .nobodyToAsk ? .nobodyToAsk(about: acts, by: requester) : refusal
        }
    }

    /// The second question, after a yes: whether the program has the items from now on without one.
    ///
    /// A no to it, or none to give it, leaves the yes as it is.
    private func asksForGood(
        _ asked: [ItemAct],
        _ requester: Requester,
        _ prompter: any Prompter,
        _ cancellation: Cancellation
    ) throws(Refusal) -> ProgramIdentity? {
        guard let program = requester.bus?.identity,
            asked.allSatisfy({ act in act.mayRemember && act.act.kind == .item && act.act.item != nil })
        else { return nil }
        let question = QuestionText.forGood(asked.map(\.act), by: requester)
        guard let answer = try? prompter.confirm(question, cancellation), answer != .deny else { return nil }
        return program
    }

    /// Writes into the items, and into the log before, that a program has them for good.
    private func admit(_ program: ProgramIdentity, to acts: [Act], _ requester: Requester) throws(Refusal) {
        guard let open = state.withLock({ $0.open }) else { throw .locked }
        for act in acts {
            var entry = AuditEntry(.rule, .allowed, time: 0, act: "item.access", subject: act.subject)
            entry.add(requester)
            try record(entry, isDurable: true)
        }
        do throws(VaultError) {
            let ids = acts.compactMap { $0.item?.id }
            _ = try open.use { () throws(VaultError) in
                try Blocking.wait { () async throws(VaultError) in
                    try await open.vault.admit(program, to: ids)
                }
            }
        } catch {
            throw Refusal(error)
        }
    }
}
