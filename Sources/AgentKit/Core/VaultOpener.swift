package import AgentProtocol
package import VaultCrypto

/// Finds the agent's one vault and opens it, without talking to anybody; called on threads that may wait.
package protocol VaultOpener: Sendable {
    /// What the vault is called in questions and in the status: its name, or the path of its file.
    var vaultName: String { get }
    /// The absolute path of its file, also where a keyring keeps it: what a client's hello is compared with.
    var vaultPath: String { get }

    /// Opens it without a person: a key slot in an open keyring, a credential of the service manager.
    ///
    /// - Returns: nil when there is no such way.
    func openUnattended() throws(AgentError) -> OpenVault?

    /// Opens it where what keeps it asks the person itself, as a locked keyring does: no one has to know a
    /// passphrase.
    ///
    /// - Parameter mayAsk: whether the person sits at the desktop, where the question would appear.
    /// - Returns: nil when the vault opens by a passphrase.
    /// - Throws: what stands in the way of the vault, also a keyring that stays locked.
    func openByKeeper(mayAsk: Bool) throws(AgentError) -> OpenVault?

    /// The key slot that a device opens, if a person types its PIN or touches it.
    ///
    /// - Returns: nil without such a slot, and if no device at this machine opens it now.
    func offer() throws(AgentError) -> SlotOffer?

    /// Opens it by a device; the wait for a touch ends with `cancellation`.
    ///
    /// - Throws: `pinWrong` inside `.refused`, when it may be tried again; `lastTries` if a wrong PIN would lock the device for
    ///   good, unless that is allowed.
    func open(_ slot: SlotPIN, pin: Secret?, _ cancellation: Cancellation?) throws(AgentError) -> OpenVault

    /// Opens it by a passphrase or recovery code.
    ///
    /// - Throws: `StoreError.wrongSecret` or `mistyped` inside `.vault`, when it may be tried again.
    func open(with secret: Secret) throws(AgentError) -> OpenVault
}

/// A key slot that a device opens at this machine now, and the questions for it.
package struct SlotOffer: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// The question for its PIN, with what a wrong one costs; nil if it opens without.
    package let pin: String?
    /// What has to be touched; nil for a device that needs no touch.
    package let touch: String?

    /// An offer by its parts.
    package init(slot: UInt32, pin: String?, touch: String?) {
        self.slot = slot
        self.pin = pin
        self.touch = touch
    }
}

/// A key slot that a PIN, or none, opens.
package struct SlotPIN: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// Whether the last try of a security key may be spent.
    package let takesLastTry: Bool

    /// A slot, whose last try is left unless that is said.
    package init(slot: UInt32, takesLastTry: Bool = false) {
        (self.slot, self.takesLastTry) = (slot, takesLastTry)
    }
}
