package import AgentProtocol
package import VaultKit

/// Decides whether a program may do an operation of the vault, and writes down that it did.
package protocol CallGate: Sendable {
    /// Lets a call through, or refuses it; what is let through is in the audit log when this returns.
    ///
    /// - Parameters:
    ///   - prompter: reaches the caller's person; nil when nobody may be asked.
    ///   - cancellation: the caller's interest.
    func permit(
        _ call: VaultCall,
        _ touch: Touch,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal)

    /// What is done for a caller of a call that was let through: looking may leave a note, which is only for hsip.
    func narrowed(_ call: VaultCall, of caller: ControlCaller) -> VaultCall
}
