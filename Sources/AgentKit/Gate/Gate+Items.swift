package import AgentProtocol
internal import Audit
internal import Synchronization
package import VaultKit
internal import VaultPolicy

extension Gate {
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
        var requester = program.requester
        guard program.isSame else { throw .programEnded }
        let name = RateLimiter.name(of: requester)
        let judged = try judge(request, program, requester) { act, code in
            noteOnce(entry(act, request, requester), code, of: name)
        }
        var permitted = judged.permitted
        if !judged.asked.isEmpty {
            guard program.mayAsk else {
                try refuseBlocked(judged.asked, of: request, requester)
                throw .nobodyToAsk(about: judged.asked.map(\.act), by: requester)
            }
            // A call in the queue waits for a person, too.
            let call = try limiter.begin(program.process, of: name)
            defer { limiter.end(call) }
            program.asks()
            // A person sees what runs now.
            try requireSame(program, requester)
            requester = program.presentRequester
            permitted = try limiter.whenNext(call, cancellation) { () throws(Refusal) in
                try asked(request, program, requester, cancellation)
            }
            // Meanwhile it may have become another one.
            try requireSame(program, requester)
        }
        // What only opens an item is written down when its value leaves.
        if request.audit != nil {
            for act in permitted {
                let entry = entry(act.act, request, requester)
                if act.isAnswered {
                    try write(entry, .allowed, act.code, turn: judged.turn)
                } else {
                    try writeOnce(entry, .allowed, act.code, of: name, turn: judged.turn)
                }
            }
            if let entry = request.entry(besides: permitted.map(\.act), by: requester) {
                try writeOnce(entry, entry.verdict, entry.reason, of: name, turn: judged.turn)
            }
        }
        if program.isPlain, request.audit == .read, !permitted.isEmpty { limiter.sawPlain(name) }
        return try state.withLock { state throws(Refusal) in
            guard state.turns == judged.turn else { throw .locked }
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
    struct ItemAct {
        let act: Act
        let code: String
        let mayRemember: Bool
        /// Whether a rule wants it asked: then no answer changes that for good.
        var isByRule = false
        /// Whether a person said yes to this very use.
        var isAnswered = false
        /// What a refusal blocks.
        var item: String { act.item?.id ?? act.subject }

        /// The same after a yes.
        var answered: ItemAct {
            ItemAct(act: act, code: "\(code):yes", mayRemember: false, isAnswered: true)
        }
    }

    /// What becomes of the acts of a call.
    struct Judgement {
        var permitted: [ItemAct] = []
        var asked: [ItemAct] = []
        /// Which opening of the vault it is about.
        let turn: UInt64
    }

    func entry(_ act: Act, _ request: OperationRequest, _ requester: Requester) -> AuditEntry {
        AuditEntry(act, by: requester, request.audit)
    }

    /// Those acts of a call that may happen, and those to ask about at this moment.
    ///
    /// - Parameters:
    ///   - request: the call.
    ///   - program: who wants it.
    ///   - requester: the same, as it was read a moment ago.
    ///   - denied: told of what a rule refuses.
    /// - Returns: what becomes of them.
    /// - Throws: what a rule refuses, unless it is left out of the answer.
    func judge(
        _ request: OperationRequest,
        _ program: BusCaller,
        _ requester: Requester,
        denied: (Act, String) -> Void = { _, _ in }
    ) throws(Refusal) -> Judgement {
        try refreshRules()
        let (acts, turn) = try itemActs(of: request, by: requester)
        let isForPortal = acts.contains { if case .applicationKey = $0 { true } else { false } }
        guard !isForPortal || BusCaller.isPortal(requester) else { throw .notForBus }
        let policy = state.withLock { $0.policy }
        let (time, moment) = (WallTime.now(), BootTime.now())
        var judged = Judgement(turn: turn)
        for act in acts {
            switch policy.verdict(on: act, by: requester, time: time, moment: moment) {
            case .allow(let reason):
                judged.permitted.append(ItemAct(act: act, code: reason.code, mayRemember: false))
            case .ask(let reason, let mayRemember):
                var asked = ItemAct(act: act, code: reason.code, mayRemember: mayRemember)
                if case .rule = reason { asked.isByRule = true }
                if isAnsweredAhead(asked, request, program) {
                    judged.permitted.append(asked.answered)
                } else if request.holds {
                    judged.asked.append(asked)
                }
            case .deny(let reason):
                denied(act, reason.code)
                guard request.leavesOut, program.mayAsk else { throw .policy(reason) }
            }
        }
        // A call that would get nothing says so: that it was refused.
        if judged.permitted.isEmpty, judged.asked.isEmpty, !acts.isEmpty, request.holds { throw .itemRefused }
        return judged
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

    /// Whether a yes was given ahead of this one use of an item.
    private func isAnsweredAhead(
        _ asked: ItemAct,
        _ request: OperationRequest,
        _ program: BusCaller
    ) -> Bool {
        guard !asked.mayRemember, request.audit == .read, let item = asked.act.item?.id else { return false }
        let approval = Approval(nextReadOf: item, over: program.connection)
        return state.withLock { $0.policy.remembered.useUp(approval, at: BootTime.now()) }
    }
}
