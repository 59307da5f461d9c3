package import AgentProtocol
package import VaultKit
internal import VaultPolicy

extension Gate: CallGate {
    /// Lets a call through, or refuses it; what is let through is in the audit log when this returns.
    ///
    /// Looking is free. What lets a secret out, or uses one, gets a verdict. What changes the vault is written
    /// down; about what believes a key, or decides about later verdicts, a person is asked unless hsip does it.
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
        guard let kind = AuditKind(call.operation, touch) else { return }
        switch touch {
        case .look: return
        case .reveal:
            let acts = OperationTable.subjects(of: call).map { Act.read(kind: call.operation, name: $0) }
            try permit(acts, by: requester, asking: prompter, cancellation)
            return
        case .use:
            try permit(
                .use(kind: call.operation, name: subject),
                by: requester,
                asking: prompter,
                cancellation
            )
            return
        case .trust, .change: break
        }
        if Self.loosens(call.operation, kind, touch) {
            // A program that may write itself a rule, or lift what refuses it, needs no other one.
            if case .own = requester.program {
            } else {
                let act = Act.read(kind: call.operation, name: subject)
                try permit(act, by: requester, asking: prompter, cancellation)
            }
        }
        if kind == .rule { doubtRules() }
        var entry = AuditEntry(kind, .allowed, time: 0, act: call.operation, subject: subject)
        entry.add(requester)
        try record(entry, isDurable: kind != .change)
    }

    /// When a host was seen with its key is known from hsip, which ssh asks; any other program only looks.
    package func narrowed(_ call: VaultCall, of caller: ControlCaller) -> VaultCall {
        if case .own = requester(caller).program { return call }
        return OperationTable.withoutNoting(call)
    }

    /// What decides about later verdicts: rules, the conditions of a key, and which hosts and people are believed.
    private static func loosens(_ operation: String, _ kind: AuditKind, _ touch: Touch) -> Bool {
        kind == .rule || touch == .trust || operation == "ssh-key.set" || operation.hasPrefix("host-keys.")
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
