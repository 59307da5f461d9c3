package import AgentProtocol
internal import Synchronization
package import VaultKit
internal import VaultPolicy

/// Calls of programs on the bus: their acts are about items, which have owners.
extension Gate {
    /// The seconds for which an approval of a program on the bus holds: its library reads twice.
    static let grant: UInt64 = 60

    /// Permits a call for a program on the bus, or refuses it; a permitted call is in the log when this returns.
    package func permit(
        _ request: OperationRequest,
        for program: BusCaller,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass {
        guard request.isForBus else { throw .notForBus }
        var requester = program.requester
        requester.lease = leases.lease(of: program.process)
        var call = GateCall(
            request: request,
            requester: requester,
            program: program,
            // A command inside a lease does not wait for a person.
            prompter: requester.lease == nil ? prompter : nil,
            cancellation: cancellation
        )
        guard program.isSame else { throw .programEnded }
        let judged = try permit(&call)
        let permitted = judged.permitted.map(\.act)
        if program.isPlain, request.audit == .read, !permitted.isEmpty {
            limiter.sawPlain(RateLimiter.name(of: call.requester))
        }
        return try state.withLock { state throws(Refusal) in
            guard state.opening == judged.opening else { throw .locked }
            let (time, moment) = (WallTime.now(), BootTime.now())
            let access = BusAccess(
                call.requester,
                policy: state.policy,
                time: time,
                moment: moment,
                permitted: permitted
            )
            return GatePass(caller: .bus(access), leased: call.leased)
        }
    }

    /// Returns the acts of a call, for the items that the vault finds.
    func itemActs(of call: GateCall, on open: OpenVault) throws(Refusal) -> [Act] {
        guard let request = call.request else { return [] }
        let acts = try fromVault(open) { (vault) async throws(VaultError) in
            try await vault.itemActs(of: request, by: call.requester)
        }
        let isForPortal = acts.contains { if case .applicationKey = $0 { true } else { false } }
        guard !isForPortal || BusCaller.isPortal(call.requester) else { throw .notForBus }
        return acts
    }

    /// Whether this one read of an item was approved in advance; the approval is used up.
    func isAnsweredAhead(_ asked: JudgedAct, _ call: GateCall) -> Bool {
        guard let program = call.program, !asked.mayRemember, call.request?.audit == .read,
            let item = asked.act.item?.id
        else { return false }
        let approval = Approval(nextReadOf: item, over: program.connection)
        return state.withLock { $0.policy.remembered.useUp(approval, at: BootTime.now()) }
    }

    /// Returns the prompts about items, with the longer choice that they offer.
    func itemInquiry(about asked: [JudgedAct], _ call: GateCall) -> Inquiry {
        let (acts, requester) = (asked.map(\.act), call.requester)
        let longer = longerYes(asked, requester)
        var inquiry = Inquiry(questions: QuestionText.items(acts, by: requester, longer: longer?.text))
        inquiry.granted = asked.filter(\.mayRemember).flatMap(\.act.approved)
            .compactMap { Approval($0, by: requester) }
        // A call that only unlocks an item precedes a call that uses it.
        if let program = call.program, call.request?.audit == nil {
            inquiry.granted += asked.filter { !$0.mayRemember }.compactMap(\.act.item)
                .map { Approval(nextReadOf: $0.id, over: program.connection) }
        }
        guard let longer else { return inquiry }
        (inquiry.reader, inquiry.longest) = (longer.reader, Remembered.longest)
        if longer.reader == nil {
            inquiry.longer = acts.compactMap { Approval($0, by: requester, forScript: true) }
        }
        return inquiry
    }

    /// Returns the longer choice of a prompt, and the program that it makes a reader of the items; nil for neither.
    ///
    /// A script becomes a reader only if root alone can change it. For any other script the approval ends with the
    /// lock.
    private func longerYes(
        _ asked: [JudgedAct],
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

    /// Makes a program or script a permanent reader of the items, after it was logged.
    func admit(_ reader: ProgramIdentity, to acts: [Act], _ requester: Requester) throws(Refusal) {
        let isScript = reader == requester.scriptIdentity
        for act in acts {
            var entry = AuditEntry(.rule, .allowed, time: 0, act: ItemOperation.access, subject: act.subject)
            entry.add(requester)
            if isScript { entry.target = reader.text }
            try record(entry)
        }
        let ids = acts.compactMap { $0.item?.id }
        _ = try fromVault { (vault) async throws(VaultError) in
            try await vault.admit(reader, to: ids, isScript: isScript)
        }
    }
}
