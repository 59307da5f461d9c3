package import AgentProtocol
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import Synchronization
package import VaultKit
internal import VaultPolicy

extension Gate: CallGate {
    /// Permits a call, or refuses it.
    ///
    /// A permitted call is in the audit log when this returns.
    ///
    /// The exposure of the operation determines the decisions, each about one subject. A call that needs none is only
    /// logged, if it changes something.
    package func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass {
        let requester = requester(caller.peer, hasTerminal: caller.hello.asks == .terminal)
        // Items have owners, and only callers on the bus have an identity to compare with an owner.
        let asking: Caller = if case .own = requester.program { .own } else { .other }
        guard asking.isOwn || !request.isRestricted else {
            throw Refusal(VaultError.unknownOperation.explanation)
        }
        // A command that runs unattended does not wait for a person.
        let prompter = requester.lease == nil ? trusted(prompter, for: caller, requester) : nil
        let request = try shown(try named(request))
        var call = GateCall(
            request: request,
            acts: try acts(of: request, by: requester),
            requester: requester,
            prompter: prompter,
            cancellation: cancellation
        )
        try permit(&call)
        // Rules follow renamed records.
        if request.audit == .rule || request.audit == .change { doubtRules() }
        return GatePass(caller: asking, leased: call.leased)
    }

    /// Checks that a leased secret was not replaced while it was read, before it is returned.
    package func confirm(_ pass: GatePass) throws(Refusal) {
        if let leased = pass.leased { try checkLeased(leased, isAfter: true) }
    }

    /// Returns the acts of a call, each to be decided by itself; empty if the call needs no decision.
    func acts(of request: OperationRequest, by requester: Requester) throws(Refusal) -> [Act] {
        let owner = state.withLock { $0.policy.owner }
        return try request.policy.acts(by: requester, owner: owner) { () throws(Refusal) in
            try secretsOfRules()
        }
    }

    /// Replaces the authors of messages and codes in a request with their names in the vault.
    private func named(_ request: OperationRequest) throws(Refusal) -> OperationRequest {
        do throws(VaultError) {
            return try request.naming { (peer) throws(VaultError) in
                guard let open = state.withLock({ $0.open }) else { throw .store(.locked) }
                return try open.use { () throws(VaultError) in try open.vault.alias(of: peer) }
            }
        } catch {
            throw Refusal(error)
        }
    }

    /// Adds the text of the rule or known_hosts line that a request removes, or the labels of its items.
    private func shown(_ request: OperationRequest) throws(Refusal) -> OperationRequest {
        if let id = request.removedLine { return request.showing(line: try hostLine(id)) }
        if !request.itemIDs.isEmpty { return request.showing(labels: try itemLabels(request.itemIDs)) }
        guard let name = request.removedRule else { return request }
        do throws(Refusal) {
            try refreshRules()
        } catch {
            // An unreadable rule can be removed, too.
            guard error != .locked else { throw error }
            return request.showing(nil)
        }
        let rule = state.withLock { state in state.policy.rules.first { $0.name == name } }
        return rule.map { request.showing($0) } ?? request
    }

    /// Returns a line of known hosts; nil if the id is unknown.
    private func hostLine(_ id: UInt64) throws(Refusal) -> KnownHost? {
        try fromVault { (vault) async throws(VaultError) in
            try await vault.hostKeys().first { $0.id == id }?.host
        }
    }

    private func itemLabels(_ ids: [String]) throws(Refusal) -> [String: String] {
        try fromVault { (vault) async throws(VaultError) in try await vault.itemLabels(ids) }
    }

    /// Returns the prompter that may ask about this caller.
    ///
    /// A prompt that is sent back is answered by the calling program. Only for hsip itself is it certain that a
    /// person answers. For any other program the agent asks by itself.
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

    /// Returns the requester on the control socket.
    ///
    /// Its program is the one at the time of its hello, since hsip hides itself from then on.
    func requester(_ peer: Peer, hasTerminal: Bool = false) -> Requester {
        let program = peer.isAlive ? programs.program(peer.speaker) : .unknown
        return Requester(peer, program, hasTerminal: hasTerminal, lease: leases.lease(of: peer))
    }
}
