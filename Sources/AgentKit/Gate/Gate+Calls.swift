package import AgentProtocol
package import VaultKit
internal import VaultPolicy

extension Gate: CallGate {
    /// Lets a call through, or refuses it; what is let through is in the audit log when this returns.
    ///
    /// Looking is free. What lets a secret out, or uses one, gets a verdict. What changes the vault is written
    /// down; about what believes a key, decides about later verdicts, or tells whether a guess is right, a person is
    /// asked unless hsip does it.
    package func permit(
        _ call: VaultCall,
        _ touch: Touch,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        let subject = OperationTable.subject(of: call)
        let requester = requester(caller)
        let prompter = trusted(prompter, for: caller, requester)
        var acts: [Act] = []
        if Self.countsAsReading(call, touch), !requester.isOwn {
            acts = try reads(call)
        } else if touch == .reveal {
            acts = try reads(call)
        } else if touch == .use {
            acts = [.use(kind: call.operation, name: subject)]
        }
        if !acts.isEmpty { try permit(acts, by: requester, asking: prompter, cancellation) }
        guard touch == .change || touch == .trust, let kind = AuditKind(call.operation, touch) else { return }
        if kind == .rule { doubtRules() }
        var entry = AuditEntry(kind, .allowed, time: 0, act: call.operation, subject: subject)
        entry.add(requester)
        try record(entry, isDurable: kind != .change)
    }

    /// When a host was seen with its key is known from hsip, which ssh asks; any other program only looks.
    package func narrowed(_ call: VaultCall, of caller: ControlCaller) -> VaultCall {
        requester(caller).isOwn ? call : OperationTable.withoutNoting(call)
    }

    /// What any program but hsip is asked about as if it read what it names.
    ///
    /// Rules, the conditions of a key, which hosts and people are believed, and under which name a secret is kept decide
    /// about later verdicts: a program that may change them needs no other one. One that is told whether a value is
    /// the right one has read it, once it has asked often enough.
    private static func countsAsReading(_ call: VaultCall, _ touch: Touch) -> Bool {
        let operation = call.operation
        return touch == .trust || operation.hasPrefix("rule.") && touch == .change
            || operation == "ssh-key.set" || operation == "secret.move"
            || operation.hasPrefix("host-keys.") && touch == .change
            || OperationTable.comparesValues(call)
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
        return requester.isOwn ? prompter : self.prompter
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

extension Requester {
    /// It is hsip itself.
    fileprivate var isOwn: Bool {
        if case .own = program { true } else { false }
    }
}
