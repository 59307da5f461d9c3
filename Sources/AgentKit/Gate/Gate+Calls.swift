package import AgentProtocol
internal import Synchronization
package import VaultKit
internal import VaultPolicy

extension Gate: CallGate {
    /// Lets a call through, or refuses it; what is let through is in the audit log when this returns.
    ///
    /// Looking is free. What lets a secret out, or uses one, gets a verdict. What changes the vault is written
    /// down; what decides about later verdicts, or tells whether a guess is right, counts as a read of what it names,
    /// unless hsip does it in front of a person, and so does what believes a key, unless hsip does it.
    package func permit(
        _ call: VaultCall,
        _ touch: Touch,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        let requester = requester(caller)
        let prompter = trusted(prompter, for: caller, requester)
        // What only looks has no name that anything is decided or written by.
        let isDue = touch != .look || OperationTable.countsAsRead(call)
        let names = isDue ? try subjects(of: call) : []
        let acts = try acts(of: call, touch, about: names, by: requester)
        if !acts.isEmpty { try permit(acts, by: requester, asking: prompter, cancellation) }
        guard touch == .change || touch == .trust, let kind = AuditKind(call.operation, touch) else { return }
        if kind == .rule { doubtRules() }
        let subject = OperationTable.summary(of: names)
        var entry = AuditEntry(kind, .allowed, time: 0, act: call.operation, subject: subject)
        entry.add(requester)
        try record(entry, isDurable: kind != .change)
    }

    /// The acts that a call comes to, each to be judged by itself; none for what is free.
    func acts(
        of call: VaultCall,
        _ touch: Touch,
        about names: [String],
        by requester: Requester
    ) throws(Refusal) -> [Act] {
        let isOwner = requester.uid == state.withLock { $0.policy.owner }
        let isOwn = if case .own = requester.program { isOwner } else { false }
        let counts =
            !(isOwner && requester.isPerson) && OperationTable.countsAsRead(call) || !isOwn && touch == .trust
        if touch == .reveal || counts { return try reads(call, names) }
        return touch == .use ? names.map { .use(kind: call.operation, name: $0) } : []
    }

    /// When a host was seen with its key is known from hsip, which ssh asks; any other program only looks.
    package func narrowed(_ call: VaultCall, of caller: ControlCaller) -> VaultCall {
        if case .own = requester(caller).program { return call }
        return OperationTable.withoutNoting(call)
    }

    /// Who may answer a question about this caller.
    ///
    /// A question that travels back is answered by the program that caused it: only of hsip itself is it known
    /// that a person does that. About any other program the agent asks by itself.
    private func trusted(
        _ prompter: (any Prompter)?,
        for caller: ControlCaller,
        _ requester: Requester
    ) -> (any Prompter)? {
        guard caller.hello.asks != .nobody else { return nil }
        if case .own = requester.program { return prompter }
        return self.prompter
    }

    /// Who asks over the control socket.
    ///
    /// Its program is what it was when it was greeted: hsip hides itself from then on.
    private func requester(_ caller: ControlCaller) -> Requester {
        let program = caller.peer.isAlive ? programs.program(caller.peer.speaker) : .unknown
        return Requester(
            uid: caller.peer.uid,
            pid: caller.peer.pid,
            program: program,
            chain: program == .unknown ? [] : caller.peer.chain,
            hasTerminal: caller.hello.asks == .terminal
        )
    }
}
