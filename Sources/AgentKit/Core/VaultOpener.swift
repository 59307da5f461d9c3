package import AgentProtocol
package import VaultCrypto

/// Finds and opens the agent's one vault without a conversation with anybody; called on threads that may block.
package protocol VaultOpener: Sendable {
    /// The name of the vault in prompts and in the status: its name, or the path of its file.
    var vaultName: String { get }
    /// The absolute path of its file, even for a vault in a keyring; a client's hello must have the same path.
    var vaultPath: String { get }

    /// Opens the vault without a person: with a key slot in an open keyring, or a credential of the service manager.
    ///
    /// - Returns: nil if it has neither.
    func openUnattended() throws(AgentError) -> OpenVault?

    /// Opens the vault if its keeper asks the person itself, as a locked keyring does; the person needs no
    /// passphrase.
    ///
    /// - Parameter mayAsk: whether the person uses the desktop, where the prompt would appear.
    /// - Returns: nil if the vault opens with a passphrase.
    /// - Throws: the reason why the vault cannot be opened, also a keyring that stays locked.
    func openByKeeper(mayAsk: Bool) throws(AgentError) -> OpenVault?

    /// Returns the key slot that a device can open, after its PIN or a touch.
    ///
    /// - Returns: nil without such a slot, and if no present device opens it.
    func offer() throws(AgentError) -> SlotOffer?

    /// Opens the vault with a device; a wait for a touch ends with `cancellation`.
    ///
    /// - Throws: `pinWrong` inside `.refused` if another try is possible; `lastTries` if a wrong PIN would lock the
    ///   device permanently, unless that is allowed.
    func open(_ slot: SlotPIN, pin: Secret?, _ cancellation: Cancellation?) throws(AgentError) -> OpenVault

    /// Opens the vault with a passphrase or recovery code.
    ///
    /// - Throws: `StoreError.wrongSecret` or `mistyped` inside `.vault` if another try is possible.
    func open(with secret: Secret) throws(AgentError) -> OpenVault
}

/// A key slot that a present device can open, and the prompts for it.
package struct SlotOffer: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// The prompt for its PIN, with the cost of a wrong PIN; nil if it needs none.
    package let pin: String?
    /// The object to touch; nil if the device needs no touch.
    package let touch: String?

    /// Creates an offer from its parts.
    package init(slot: UInt32, pin: String?, touch: String?) {
        self.slot = slot
        self.pin = pin
        self.touch = touch
    }
}

/// A key slot that opens with a PIN or without one.
package struct SlotPIN: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// Whether the last try of a security key may be used up.
    package let takesLastTry: Bool

    /// Creates a slot; by default its last try is kept.
    package init(slot: UInt32, takesLastTry: Bool = false) {
        (self.slot, self.takesLastTry) = (slot, takesLastTry)
    }
}
