package import AgentProtocol
package import VaultKit

/// Decides whether a program may do an operation of the vault, and writes down that it did.
package protocol CallGate: Sendable {
    /// Lets a call through, or refuses it; what is let through is in the audit log when this returns.
    ///
    /// - Parameters:
    ///   - prompter: reaches the caller's person; nil when nobody may be asked.
    ///   - cancellation: the caller's interest.
    /// - Returns: for whom it is done.
    func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Caller
}
