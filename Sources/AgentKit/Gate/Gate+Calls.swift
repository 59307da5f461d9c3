package import AgentProtocol
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import Synchronization
package import VaultKit
internal import VaultPolicy

extension Gate: CallGate {
    /// Lets a call through, or refuses it; a permitted call is in the audit log when this returns.
    ///
    /// What a call exposes says which verdicts are due, each about one of its subjects. A call without any is only written
    /// down, if it changes something.
    package func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass {
        let requester = requester(caller.peer, hasTerminal: caller.hello.asks == .terminal)
        // Items have owners, and only callers on the bus have an identity that an owner is compared with.
        let asking: Caller = if case .own = requester.program { .own } else { .other }
        guard asking.isOwn || !request.isRestricted else {
            throw Refusal(VaultError.unknownOperation.explanation)
        }
        // A command that runs alone does not wait for a person.
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
        // Rules follow what is renamed.
        if request.audit == .rule || request.audit == .change { doubtRules() }
        return GatePass(caller: asking, leased: call.leased)
    }

    /// What a lease let out may leave: it was not exchanged while it was read.
    package func confirm(_ pass: GatePass) throws(Refusal) {
        if let leased = pass.leased { try checkLeased(leased, isAfter: true) }
    }

    /// The acts that a call comes to, each to be judged by itself; none for what is free.
    func acts(of request: OperationRequest, by requester: Requester) throws(Refusal) -> [Act] {
        let owner = state.withLock { $0.policy.owner }
        return try request.policy.acts(by: requester, owner: owner) { () throws(Refusal) in
            try secretsOfRules()
        }
    }

    /// The request with those who made its messages and codes under the names that the vault has for them.
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

    /// The request with the text of the rule or known_hosts line that it removes, or the labels of its items.
    private func shown(_ request: OperationRequest) throws(Refusal) -> OperationRequest {
        if let id = request.removedLine { return request.showing(line: try hostLine(id)) }
        if !request.itemIDs.isEmpty { return request.showing(labels: try itemLabels(request.itemIDs)) }
        guard let name = request.removedRule else { return request }
        do throws(Refusal) {
            try refreshRules()
        } catch {
            // A rule that cannot be read can be removed all the same.
            guard error != .locked else { throw error }
            return request.showing(nil)
        }
        let rule = state.withLock { state in state.policy.rules.first { $0.name == name } }
        return rule.map { request.showing($0) } ?? request
    }

    /// What a line of known hosts says; nil where there is none of this id.
    private func hostLine(_ id: UInt64) throws(Refusal) -> KnownHost? {
        try fromVault { (vault) async throws(VaultError) in
            try await vault.hostKeys().first { $0.id == id }?.host
        }
    }

    private func itemLabels(_ ids: [String]) throws(Refusal) -> [String: String] {
        try fromVault { (vault) async throws(VaultError) in try await vault.itemLabels(ids) }
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
    func requester(_ peer: Peer, hasTerminal: Bool = false) -> Requester {
        let program = peer.isAlive ? programs.program(peer.speaker) : .unknown
        return Requester(peer, program, hasTerminal: hasTerminal, lease: leases.lease(of: peer))
    }
}
