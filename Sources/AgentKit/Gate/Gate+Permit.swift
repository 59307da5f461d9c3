internal import AgentProtocol
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// The one path of every call from a socket or the bus: decisions, limits, prompt, log.
extension Gate {
    /// Permits the acts of a call, or refuses them; permitted acts are in the log when this returns.
    ///
    /// Each act has its own decision and its own entry. Refused acts are refused before a prompt. A call for the
    /// values of items on the bus may omit them from its response; any other call is refused completely.
    ///
    /// - Parameter call: the call; afterwards its requester is the program that the prompt named.
    /// - Returns: the permitted acts.
    /// - Throws: the refusal by the policy, a limit or the person, or because nobody answered; `locked` if the vault
    ///   is locked, or was in between; the error of the log.
    @discardableResult
    func permit(_ call: inout GateCall) throws(Refusal) -> Judgement {
        var judged = try judge(call)
        if let leased = judged.leased {
            do throws(Refusal) {
                try checkLeased(leased)
                call.leased = leased
            } catch {
                // Some acts may need no prompt once the lease is set aside.
                call.requester.lease?.things = [:]
                let plain = try judge(call, isAgain: true)
                guard plain.asked.isEmpty else {
                    for act in judged.permitted { note(entry(act.act, call), "\(act.code):\(error.name)") }
                    throw error
                }
                judged = plain
            }
        }
        if !judged.asked.isEmpty { judged.permitted = try settled(judged, &call) }
        try write(judged, of: call)
        return judged
    }

    // MARK: Verdicts

    /// Returns the decisions of the policy at this moment.
    ///
    /// - Parameters:
    /// - call: the call.
    /// - isAgain: whether its refusals are already in the log.
    /// - Returns: the permitted acts, and the acts to ask about.
    /// - Throws: a refusal, unless the refused act may be omitted from the response.
    private func judge(_ call: GateCall, isAgain: Bool = false) throws(Refusal) -> Judgement {
        // The vault determines the acts of a call on the bus.
        guard call.program != nil || !call.acts.isEmpty else { return Judgement() }
        let (open, policy, opening) = try present()
        let acts = call.program == nil ? call.acts : try itemActs(of: call, on: open)
        let (time, moment) = (WallTime.now(), BootTime.now())
        var judged = Judgement(opening: opening)
        for act in acts {
            switch policy.verdict(on: act, by: call.requester, time: time, moment: moment) {
            case .allow(let reason):
                if case .lease(let number, _) = reason,
                    let thing = call.requester.lease?.thing(of: act, at: moment)
                {
                    judged.use(thing, of: number)
                }
                judged.permitted.append(JudgedAct(act: act, code: reason.code, mayRemember: false))
            case .ask(let reason, let mayRemember):
                var asked = JudgedAct(act: act, code: reason.code, mayRemember: mayRemember)
                if case .rule = reason { asked.isByRule = true }
                if isAnsweredAhead(asked, call) {
                    judged.permitted.append(asked.answered)
                } else if call.holds {
                    judged.asked.append(asked)
                }
            case .deny(let reason):
                if !isAgain { note(entry(act, call), reason.code, limitedAs: call.limited) }
                guard call.leavesOut else { throw .policy(reason) }
            }
        }
        // A call that would return nothing is refused.
        if judged.permitted.isEmpty, judged.asked.isEmpty, !acts.isEmpty, call.holds { throw .itemRefused }
        return judged
    }

    /// Returns the open vault, and the rules that were read during the same opening.
    private func present() throws(Refusal) -> (OpenVault, Policy, UInt64) {
        while true {
            try refreshRules()
            let (found, isLocked) = state.withLock { state in
                let found = state.open.map { ($0, state.policy, state.opening) }
                return (state.generation == nil ? nil : found, state.open == nil)
            }
            if let found { return found }
            // The vault was locked, and perhaps opened again, after the rules were read.
            guard !isLocked else { throw .locked }
        }
    }

    // MARK: Limits

    /// Asks about the undecided acts of a call: immediately for a socket, within the limits for the bus.
    ///
    /// - Returns: the permitted acts.
    private func settled(_ judged: Judgement, _ call: inout GateCall) throws(Refusal) -> [JudgedAct] {
        // A call without prompts does not wait for others.
        guard let program = call.program, let name = call.limited, call.prompter != nil else {
            return try answered(judged, call)
        }
        guard program.mayAsk else {
            try refuseBlocked(judged.asked, of: call)
            throw .nobodyToAsk(about: judged.asked.map(\.act), by: call.requester)
        }
        // A call in the queue also waits for a person.
        let number = try limiter.begin(program.process, of: name)
        defer { limiter.end(number) }
        program.asks()
        // The prompt shows the program that runs now.
        try requireSame(call)
        call.requester = program.presentRequester
        let present = call
        let permitted = try limiter.whenNext(number, call.cancellation) { () throws(Refusal) in
            // The previous prompt may have decided this call as well.
            try answered(try judge(present, isAgain: true), present)
        }
        // The process may have become another program meanwhile.
        try requireSame(call)
        return permitted
    }

    /// Returns the acts that may be asked about; the others are blocked, which is logged.
    ///
    /// - Throws: `blocked` if no act remains, or if the blocked ones cannot be omitted.
    @discardableResult
    private func refuseBlocked(_ asked: [JudgedAct], of call: GateCall) throws(Refusal) -> [JudgedAct] {
        guard let name = call.limited, !asked.isEmpty else { return asked }
        let isCrowded = limiter.isCrowded(for: name)
        let open = asked.filter { act in
            guard isCrowded || limiter.blocks(act.item, of: name) else { return true }
            note(entry(act.act, call), "\(act.code):quiet", limitedAs: name)
            return false
        }
        let leavesOut = call.request?.leavesOut == true && !open.isEmpty
        guard open.count == asked.count || leavesOut else { throw .blocked }
        return open
    }

    // MARK: The question

    /// Asks about the undecided acts of a call now.
    ///
    /// - Returns: the permitted acts.
    private func answered(_ judged: Judgement, _ call: GateCall) throws(Refusal) -> [JudgedAct] {
        do throws(Refusal) {
            let asked = try refuseBlocked(judged.asked, of: call)
            guard !asked.isEmpty, let opening = judged.opening else { return judged.permitted }
            do throws(Refusal) {
                try ask(about: asked, call, opening)
            } catch {
                for act in asked { note(entry(act.act, call), "\(act.code):\(error.name)") }
                throw error
            }
            return judged.permitted + asked.map(\.answered)
        } catch {
            guard call.leavesOut, !judged.permitted.isEmpty, error != .locked, error != .cancelled else {
                throw error
            }
            return judged.permitted
        }
    }

    // MARK: The log

    /// Logs the permitted acts, and the call itself.
    private func write(_ judged: Judgement, of call: GateCall) throws(Refusal) {
        // Unlocking an item is logged when its value is read.
        guard call.program == nil || call.request?.audit != nil else { return }
        for act in judged.permitted {
            let limited = act.isAnswered ? nil : call.limited
            try write(entry(act.act, call), .allowed, act.code, in: judged.opening, limitedAs: limited)
        }
        let acts = judged.permitted.map(\.act)
        if let entry = call.request?.entry(besides: acts, by: call.requester) {
            try write(entry, entry.verdict, entry.reason, in: judged.opening, limitedAs: call.limited)
        }
    }

    private func entry(_ act: Act, _ call: GateCall) -> AuditEntry {
        AuditEntry(act, by: call.requester, call.request?.audit)
    }
}
