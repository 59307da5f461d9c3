package import AgentProtocol
package import VaultKit
package import VaultPolicy

/// Decides whether a program may do an operation of the vault, and writes down that it did.
package protocol CallGate: Sendable {
    /// Limits what programs on the bus may ask and write down.
    var limiter: RateLimiter { get }

    /// Lets a call through, or refuses it; a permitted call is in the audit log when this returns.
    ///
    /// - Parameters:
    ///   - request: the operation, and what it is done to.
    ///   - caller: who asks for it.
    ///   - prompter: reaches the caller's person; nil when that person may not be asked.
    ///   - cancellation: the caller's interest.
    /// - Returns: the caller it is done for.
    /// - Throws: why it is refused: the policy, the person or the lack of an answer; also when it cannot be
    ///   written down.
    func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Caller

    /// The same for a program on the bus, for which a front asks.
    func permit(
        _ request: OperationRequest,
        for program: BusCaller,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Caller

    /// A program on the bus has the vault locked: the entry of that names it. Nil where none has: who asked before, and did
    /// not get it, is forgotten.
    func lockComes(by requester: Requester?)
}
