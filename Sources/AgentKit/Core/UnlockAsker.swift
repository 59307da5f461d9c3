package import AgentProtocol
package import VaultCrypto

/// Asks a person for the secret of the vault, for one of those who wait for it.
package protocol UnlockAsker: Sendable {
    /// How often a wrong secret may be tried again: three times on a terminal, once elsewhere.
    var tries: Int { get }

    /// Asks, and waits until there is an answer or `cancellation` is over.
    ///
    /// - Parameter attempt: 1 for the first time; above that the secret before was wrong.
    /// - Throws: `Refusal.dismissed`, `late`, `cancelled`; `locked` when nobody can be asked this way.
    func secret(attempt: Int, of vault: String, _ cancellation: Cancellation) throws(Refusal) -> Secret

    /// The secret that it brought has opened the vault.
    func accepted()
}

extension UnlockAsker {
    package func accepted() {}
}
