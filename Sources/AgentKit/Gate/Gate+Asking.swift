package import AgentProtocol
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// Prompts for the person of a call.
extension Gate {
    /// The prompts about the acts of a call, and the duration of an approval.
    struct Inquiry {
        let questions: [ConfirmQuestion]
        /// The approvals that any approval grants for `grant` seconds.
        var granted: [Approval] = []
        /// The approvals of the longer choice, if the prompt offers it, and the largest number of seconds.
        var longer: [Approval] = []
        var longest: UInt64 = 0
        /// The program or script that the longer choice makes a reader of the items; nil for none.
        var reader: ProgramIdentity?
    }

    /// Asks about acts of a call, with one prompt or as many as are needed to show all acts.
    ///
    /// - Throws: the reason why the acts are not approved; `programEnded` if the approval was for another program.
    func ask(about asked: [JudgedAct], _ call: GateCall, _ opening: UInt64) throws(Refusal) {
        let acts = asked.map(\.act)
        guard call.prompter != nil else { throw .nobodyToAsk(about: acts, by: call.requester) }
        let inquiry = call.program == nil ? inquiry(about: asked, call) : itemInquiry(about: asked, call)
        let answers = try answers(to: inquiry.questions, about: asked, call, opening)
        if let name = call.limited { limiter.wasAccepted(name) }
        // The approval is for the program that the prompt named.
        try requireSame(call)
        // The shortest time of all answers applies.
        let times = answers.map { answer -> UInt64 in
            switch answer {
            case .deny, .once: 0
            case .remember(let seconds): UInt64(max(seconds, 0))
            case .lasting: inquiry.longest
            }
        }
        let time = min(times.min() ?? 0, inquiry.longest)
        try state.withLock { state throws(Refusal) in
            // The approval is for the vault that was open when the prompt was shown.
            guard state.opening == opening else { throw .locked }
            let moment = BootTime.now()
            for approval in inquiry.granted {
                state.policy.remembered.remember(approval, for: Self.grant, at: moment)
            }
            guard time > 0 else { return }
            for approval in inquiry.longer {
                state.policy.remembered.remember(approval, for: time, at: moment)
            }
        }
        if time > 0, let reader = inquiry.reader { try admit(reader, to: acts, call.requester) }
    }

    /// Shows prompts to the person of a call, who must approve each of them.
    ///
    /// They end when the caller has gone, and with a lock of the vault.
    ///
    /// - Returns: the answers, all of them approvals.
    /// - Throws: the reason why a prompt was not approved.
    func answers(
        to questions: [ConfirmQuestion],
        about asked: [JudgedAct],
        _ call: GateCall,
        _ opening: UInt64
    ) throws(Refusal) -> [Confirmation] {
        let acts = asked.map(\.act)
        guard let prompter = call.prompter else { throw .nobodyToAsk(about: acts, by: call.requester) }
        // A person can approve only what hsip can show.
        guard !questions.isEmpty else { throw .tooMuchToShow(about: acts, by: call.requester) }
        let lock = state.withLock { $0.opening == opening ? $0.lock : nil }
        guard let lock, let interest = try? Cancellation(under: [call.cancellation, lock]) else {
            throw .locked
        }
        var answers: [Confirmation] = []
        for question in questions {
            do throws(PromptError) {
                answers.append(try prompter.confirm(question, interest))
            } catch {
                if lock.isCancelled { throw .locked }
                // A prompt that its program cancels, or that nobody answers, still counts as asked.
                var isLeft = error == .cancelled && call.program?.hasLeft() == true
                if case .timedOut = error { isLeft = true }
                if isLeft { wasRefused(asked, call) }
                let refusal = Refusal.unanswered(error)
                throw refusal == .nobodyToAsk ? .nobodyToAsk(about: acts, by: call.requester) : refusal
            }
            guard answers.last != .deny else {
                wasRefused(asked, call)
                throw .dismissed
            }
        }
        return answers
    }

    private func wasRefused(_ asked: [JudgedAct], _ call: GateCall) {
        guard let name = call.limited else { return }
        limiter.wasRefused(name, about: asked.map(\.item))
    }

    /// Checks that the program on the bus is still the program of the prompt.
    ///
    /// - Throws: `programEnded` if the process ended, or became another program.
    func requireSame(_ call: GateCall) throws(Refusal) {
        guard let program = call.program else { return }
        guard program.isSame else { throw .programEnded }
        let present = program.presentRequester
        let asked = call.requester
        guard present.bus?.identity == asked.bus?.identity, present.script == asked.script else {
            throw .programEnded
        }
    }

    /// Logs that a person answers a waiting prompt from elsewhere, before the answer counts.
    ///
    /// - Throws: the error of the log: an approval then does not count. A refusal counts without the log.
    package func recordAnswer(
        _ answer: RequestAnswer,
        to title: String,
        by caller: ControlCaller
    ) throws(Refusal) {
        var entry = AuditEntry(
            .rule,
            answer == .deny ? .refused : .allowed,
            time: 0,
            act: AuditEntry.requestAnswer
        )
        (entry.subject, entry.target) = (title, answer.rawValue)
        entry.add(requester(caller.peer, hasTerminal: true))
        if answer == .deny { try? record(entry) } else { try record(entry) }
    }

    // MARK: The questions of a socket

    private func inquiry(about asked: [JudgedAct], _ call: GateCall) -> Inquiry {
        let (acts, requester) = (asked.map(\.act), call.requester)
        // An approval is remembered for one name only: for two names, or for a folder, it would cover more than was
        // asked.
        let isOfOne =
            call.request.map { request in
                request.policy.details.isEmpty
                    && request.policy.exposure.parts.allSatisfy { $0.question?.namesTwo != true }
            } ?? true
        let mayRemember = isOfOne && asked.allSatisfy(\.mayRemember)
        let approvals = mayRemember ? acts.compactMap { Approval($0, by: requester) } : []
        let isOffered = approvals.count == acts.count
        let remember = isOffered ? Self.remembering : nil
        let questions =
            if let request = call.request {
                QuestionText.confirm(acts, of: request.policy, by: requester, remember: remember)
            } else {
                acts.map { act in
                    let hint = hint(about: act, by: requester)
                    return QuestionText.confirm(act, by: requester, remember: remember, hint: hint)
                }
            }
        return Inquiry(
            questions: questions,
            longer: isOffered ? approvals : [],
            longest: UInt64(Self.remembering)
        )
    }

    /// Returns the hint how the same login needs no prompt, once for each route: ssh itself connects through the host
    /// in between.
    private func hint(about act: Act, by requester: Requester) -> String? {
        guard case .sign(let key, .login(let user, let server?), .relayed(let jump)) = act,
            isFree(.sign(key, .login(user: user, host: server), .direct), to: requester),
            jump.status == .known, let target = server.profiles.first,
            let way = jump.profiles.first ?? jump.names.first, Refusal.isPlain(target), Refusal.isPlain(way)
        else { return nil }
        let command = "ssh -J \(way) \(target)"
        return hints.withLock { $0.insert(command).inserted } ? "This asks nothing: \(command)" : nil
    }

    /// Whether an act currently needs no prompt.
    private func isFree(_ act: Act, to requester: Requester) -> Bool {
        let verdict = state.withLock {
            $0.policy.verdict(on: act, by: requester, time: WallTime.now(), moment: BootTime.now())
        }
        if case .allow = verdict { return true }
        return false
    }
}
