internal import AgentProtocol
internal import Synchronization
internal import VaultPolicy

extension Gate {
    /// How the same login needs no question, told once for each route: ssh itself goes through the host in between.
    private func hint(about act: Act, by requester: Requester) -> String? {
        guard case .sign(let key, .login(let user, let server?), .relayed(let jump)) = act,
            isFree(.sign(key, .login(user: user, host: server), .direct), to: requester),
            jump.standing == .known, let target = server.profiles.first,
            let way = jump.profiles.first ?? jump.names.first, Refusal.isPlain(target), Refusal.isPlain(way)
        else { return nil }
        let command = "ssh -J \(way) \(target)"
        return hints.withLock { $0.insert(command).inserted } ? "This asks nothing: \(command)" : nil
    }

    /// Whether an act needs no question at present.
    private func isFree(_ act: Act, to requester: Requester) -> Bool {
        let verdict = state.withLock {
            $0.policy.verdict(on: act, by: requester, time: WallTime.now(), moment: BootTime.now())
        }
        if case .allow = verdict { return true }
        return false
    }

    func ask(
        about acts: [Act],
        of request: PolicyRequest?,
        by requester: Requester,
        mayRemember: Bool,
        _ turn: UInt64,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        guard let prompter else { throw .nobodyToAsk(about: acts, by: requester) }
        // A yes is kept for one name: one to two at once, or to what stands below it, would cover more than was asked.
        let isOfOne =
            request.map { request in
                request.details.isEmpty && request.exposure.parts.allSatisfy { $0.question?.namesTwo != true }
            } ?? true
        let approvals = mayRemember && isOfOne ? acts.compactMap { Approval($0, by: requester) } : []
        let remember = approvals.count == acts.count ? Self.remembering : nil
        // The shortest time that was given to any of them is that of all.
        var time = remember
        let questions =
            if let request {
                QuestionText.confirm(acts, of: request, by: requester, remember: remember)
            } else {
                acts.map { act in
                    QuestionText.confirm(
                        act,
                        by: requester,
                        remember: remember,
                        hint: hint(about: act, by: requester)
                    )
                }
            }
        // What cannot be shown is not answered.
        guard !questions.isEmpty else { throw .tooMuchToShow(about: acts, by: requester) }
        for question in questions {
            let answer: Confirmation
            do throws(PromptError) {
                answer = try prompter.confirm(question, cancellation)
            } catch {
                let refusal = Refusal.unanswered(error)
                throw refusal == .nobodyToAsk ? .nobodyToAsk(about: acts, by: requester) : refusal
            }
            switch answer {
            case .deny: throw .dismissed
            case .once, .lasting: time = nil
            case .remember(let seconds): time = time.map { min($0, seconds) }
            }
        }
        try state.withLock { state throws(Refusal) in
            // The yes was meant for the vault that was open when it was asked for.
            guard state.turns == turn else { throw .locked }
            guard let time, time > 0 else { return }
            for approval in approvals {
                state.policy.remembered.remember(approval, for: UInt64(time), at: BootTime.now())
            }
        }
    }
}
