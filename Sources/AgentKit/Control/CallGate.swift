package import AgentProtocol
package import VaultKit
package import VaultPolicy

/// Decides whether a program may do an operation of the vault, and writes down that it did.
package protocol CallGate: Sendable {
    /// Limits what programs on the bus may ask and write down.
    var limiter: RateLimiter { get }

    /// What commands may use that a person started for that.
    var leases: LeaseBook { get }

    /// Lets a call through, or refuses it; a permitted call is in the audit log when this returns.
    ///
    /// - Parameters:
    ///   - request: the operation, and what it is done to.
    ///   - caller: who asks for it.
    ///   - prompter: reaches the caller's person; nil when that person may not be asked.
    ///   - cancellation: the caller's interest.
    /// - Returns: whom it is done for.
    /// - Throws: why it is refused: the policy, the person or the lack of an answer; also when it cannot be
    ///   written down.
    func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass

    /// Whether the answer to a permitted call may leave; asked when it is there.
    func confirm(_ pass: GatePass) throws(Refusal)

    /// Gives a lease to a process and its descendants: the named process, or else the caller's.
    ///
    /// - Returns: its number.
    func lease(_ request: LeaseRequest, to caller: ControlCaller) throws(Refusal) -> UInt64

    /// Writes down that a person answers a waiting question from elsewhere, before the answer counts.
    func recordAnswer(_ answer: RequestAnswer, to title: String, by caller: ControlCaller) throws(Refusal)

    /// Ends a lease by its number.
    func endLease(_ number: UInt64, by caller: ControlCaller) throws(Refusal)

    /// Ends the leases of a caller that has hung up.
    func endLeases(of caller: ControlCaller)

    /// The same for a program on the bus, for which a front asks.
    func permit(
        _ request: OperationRequest,
        for program: BusCaller,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass

    /// A program on the bus has the vault locked: the entry of that names it. Nil where none has: who asked before, and did
    /// not get it, is forgotten.
    func lockComes(by requester: Requester?)
}

/// What the gate let through.
package struct GatePass: Sendable {
    /// Whom it is done for.
    package let caller: Caller
    let leased: LeaseUse?

    package init(caller: Caller) { self.init(caller: caller, leased: nil) }

    init(caller: Caller, leased: LeaseUse?) {
        self.caller = caller
        self.leased = leased
    }
}

/// Who is at the other end of a control connection: what the kernel says of it, and what it says.
package struct ControlCaller: Sendable {
    package let peer: Peer
    /// Its greeting; worth no more than the program's word.
    package let hello: Hello

    package init(_ peer: Peer, _ hello: Hello) {
        self.peer = peer
        self.hello = hello
    }
}
