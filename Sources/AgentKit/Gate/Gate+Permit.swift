internal import AgentProtocol
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// The one path of every call, from a socket or the bus: verdicts, limits, question, log.
extension Gate {
    /// Lets the acts of a call happen, or refuses them; when it returns, they are in the log.
    ///
    /// Each act has its own verdict and its own entry. Refused acts are refused before anything is asked. A call for the values
    /// of items on the bus may leave them out of its answer; any other call is refused as a whole.
    ///
    /// - Parameter call: the call; afterwards its requester is the program that the question named.
    /// - Returns: the acts that may happen.
    /// - Throws: why it is refused: the policy, a limit, the person or the lack of an answer; `locked` if the vault is locked,
    ///   or was meanwhile; also if the log cannot be written.
    @discardableResult
    func permit(_ call: inout GateCall) throws(Refusal) -> Judgement {
        var judged = try judge(call)
        if let leased = judged.leased {
            do throws(Refusal) {
                try checkLeased(leased)
                call.leased = leased
            } catch {
                // Without the lease some acts may need no question.
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

    /// The verdicts of the policy at this moment.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - isAgain: whether refusals are in the log already.
    /// - Returns: what may happen, and what to ask about.
    /// - Throws: what a rule refuses, unless it is left out of the answer.
    private func judge(_ call: GateCall, isAgain: Bool = false) throws(Refusal) -> Judgement {
        // A call on the bus has its acts from the vault.
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
        // A call that would get nothing says so: that it was refused.
        if judged.permitted.isEmpty, judged.asked.isEmpty, !acts.isEmpty, call.holds { throw .itemRefused }
        return judged
    }

    /// The open vault, and the rules that were read in the same opening.
    private func present() throws(Refusal) -> (OpenVault, Policy, UInt64) {
        while true {
            try refreshRules()
            let (found, isLocked) = state.withLock { state in
                let found = state.open.map { ($0, state.policy, state.opening) }
                return (state.generation == nil ? nil : found, state.open == nil)
            }
            if let found { return found }
            // It was locked, and perhaps opened, after the look at the rules.
            guard !isLocked else { throw .locked }
        }
    }

    // MARK: Limits

    /// Asks about the open acts of a call: at once on a socket, within the limits on the bus.
    ///
    /// - Returns: the acts that may happen.
    private func settled(_ judged: Judgement, _ call: inout GateCall) throws(Refusal) -> [JudgedAct] {
        // A call that asks nobody has no turn to wait for.
        guard let program = call.program, let name = call.limited, call.prompter != nil else {
            return try answered(judged, call)
        }
        guard program.mayAsk else {
            try refuseBlocked(judged.asked, of: call)
            throw .nobodyToAsk(about: judged.asked.map(\.act), by: call.requester)
        }
        // A call in the queue waits for a person, too.
        let number = try limiter.begin(program.process, of: name)
        defer { limiter.end(number) }
        program.asks()
        // A person sees what runs now.
        try requireSame(call)
        call.requester = program.presentRequester
        let present = call
        let permitted = try limiter.whenNext(number, call.cancellation) { () throws(Refusal) in
            // The question before may have answered it.
            try answered(try judge(present, isAgain: true), present)
        }
        // Meanwhile it may have become another one.
        try requireSame(call)
        return permitted
    }

    /// The acts that may be asked about; the others are blocked, which is written down.
    ///
    /// - Throws: `blocked` if there are none, or if the others cannot be left out.
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

    /// Asks about the open acts of a call now.
    ///
    /// - Returns: the acts that may happen.
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

    /// Writes down the acts that may happen, and the call itself.
    private func write(_ judged: Judgement, of call: GateCall) throws(Refusal) {
        // A call that only opens an item is written down when its value leaves.
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
