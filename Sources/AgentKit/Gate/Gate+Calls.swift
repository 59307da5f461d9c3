package import AgentProtocol
package import VaultKit
internal import VaultPolicy

extension Gate: CallGate {
    /// Lets a call through, or refuses it; what is let through is in the audit log when this returns.
    ///
    /// Looking is free. What lets a secret out, or uses one, gets a verdict. What changes the vault, or believes
    /// a key, is written down.
    package func permit(
        _ call: VaultCall,
        _ touch: Touch,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) {
        let subject = OperationTable.subject(of: call)
        let requester = requester(caller)
        guard let kind = AuditKind(call.operation, touch) else { return }
        switch touch {
        case .look: return
        case .reveal:
            try permit(
                .read(kind: call.operation, name: subject),
                by: requester,
                asking: prompter,
                cancellation
            )
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
        if kind == .rule { doubtRules() }
        var entry = AuditEntry(kind, .allowed, time: 0, act: call.operation, subject: subject)
        entry.add(requester)
        try record(entry, isDurable: kind != .change)
    }

    /// Who asks over the control socket.
    ///
    /// Its program is what it was when it connected: hsip hides itself from then on.
    private func requester(_ caller: ControlCaller) -> Requester {
        Requester(
            uid: caller.peer.uid,
            pid: caller.peer.pid,
            program: caller.peer.isAlive ? programs.program(caller.peer.program) : .unknown,
            chain: caller.peer.chain,
            hasTerminal: caller.hello.asks == .terminal
        )
    }
}
