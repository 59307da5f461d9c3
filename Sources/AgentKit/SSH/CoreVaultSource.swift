/// The agent's one vault, for the server of ssh.
package struct CoreVaultSource: SSHVaultSource {
    private let core: AgentCore
    private let asker: @Sendable (Connection) -> (any UnlockAsker)?
    private let isHeard: @Sendable (Connection) -> Bool

    /// The vault of an agent, and how its person is asked.
    ///
    /// - Parameters:
    ///   - core: opens the vault, together with all others who wait for it.
    ///   - isHeard: whether a question of `asker` would reach a person.
    ///   - asker: how the person in front of a program is asked; nil where there is no way to ask.
    package init(
        _ core: AgentCore,
        isHeard: @escaping @Sendable (Connection) -> Bool = { _ in false },
        asker: @escaping @Sendable (Connection) -> (any UnlockAsker)?
    ) {
        self.core = core
        self.isHeard = isHeard
        self.asker = asker
    }

    /// Whether there is a person who can be asked.
    package func canAsk(for connection: Connection) -> Bool { isHeard(connection) }

    /// Opens it, together with all others who wait.
    package func unlock(for connection: Connection, until interest: Cancellation) -> Bool {
        guard (try? core.unlock(asking: asker(connection), by: connection.peer, interest)) != nil else {
            return false
        }
        // The keys are there once every observer was called.
        core.settle()
        return true
    }

    /// Starts the idle time again.
    package func noteUse() { core.touchUse() }
}

extension KeyRing: LockObserver {
    /// Offers the keys of the vault.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) { open(vault) }

    /// Wipes all keys, before anybody who could wait for something.
    package func vaultCloses(_ vault: OpenVault, _ reason: LockReason) { lock(vault) }

    /// Wipes all keys.
    package func vaultLocked(_ reason: LockReason) { lock() }
}
