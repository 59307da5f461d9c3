package import AgentProtocol
package import VaultKit
package import VaultPolicy

/// Decides whether a program may run an operation of the vault, and logs it.
package protocol CallGate: Sendable {
    /// Limits the prompts and log entries of programs on the bus.
    var limiter: RateLimiter { get }

    /// The leases of commands.
    var leases: LeaseBook { get }

    /// Permits a call, or refuses it; a permitted call is in the audit log when this returns.
    ///
    /// - Parameters:
    /// - request: the operation and its arguments.
    /// - caller: the client that asks for it.
    /// - prompter: asks the caller's person; nil if that person may not be asked.
    /// - cancellation: ends when the caller has gone.
    /// - Returns: the caller for the vault.
    /// - Throws: the refusal by the policy or the person, or because nobody answered; the error of the log.
    func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass

    /// Checks that the response to a permitted call may be sent; called when the response exists.
    func confirm(_ pass: GatePass) throws(Refusal)

    /// Gives a lease to a process and its descendants: to the named process, otherwise to the caller's.
    ///
    /// - Returns: its number.
    func lease(_ request: LeaseRequest, to caller: ControlCaller) throws(Refusal) -> UInt64

    /// Logs that a person answers a waiting prompt from elsewhere, before the answer counts.
    func recordAnswer(_ answer: RequestAnswer, to title: String, by caller: ControlCaller) throws(Refusal)

    /// Ends a lease by its number.
    func endLease(_ number: UInt64, by caller: ControlCaller) throws(Refusal)

    /// Ends the leases of a caller that disconnected.
    func endLeases(of caller: ControlCaller)

    /// Permits or refuses a call for a program on the bus, for which a front asks.
    func permit(
        _ request: OperationRequest,
        for program: BusCaller,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass

    /// Notes the program on the bus that requested the next lock, for its log entry.
    ///
    /// Nil clears an earlier request that caused no lock.
    func lockComes(by requester: Requester?)
}

/// The result of a permitted call at the gate.
package struct GatePass: Sendable {
    /// The caller for the vault.
    package let caller: Caller
    let leased: LeaseUse?

    package init(caller: Caller) { self.init(caller: caller, leased: nil) }

    init(caller: Caller, leased: LeaseUse?) {
        self.caller = caller
        self.leased = leased
    }
}

/// Whether a process is hsip itself, and no other program can have sent its messages.
package struct ControlCaller: Sendable {
    package let peer: Peer
    /// The client's hello, which is the program's own statement.
    package let hello: Hello

    package init(_ peer: Peer, _ hello: Hello) {
        self.peer = peer
        self.hello = hello
    }
}
