/// The agent's one vault, for the ssh server.
package struct CoreVaultSource: SSHVaultSource {
    private let core: AgentCore
    private let asker: @Sendable (Connection) -> (any UnlockAsker)?
    private let isHeard: @Sendable (Connection) -> Bool

    /// Creates a source.
    ///
    /// - Parameters:
    /// - core: opens the vault for all waiting callers.
    /// - isHeard: whether a prompt of `asker` would reach a person.
    /// - asker: asks the person of a program; nil if there is no way to ask.
    package init(
        _ core: AgentCore,
        isHeard: @escaping @Sendable (Connection) -> Bool = { _ in false },
        asker: @escaping @Sendable (Connection) -> (any UnlockAsker)?
    ) {
        self.core = core
        self.isHeard = isHeard
        self.asker = asker
    }

    /// Whether a person can be asked.
    package func canAsk(for connection: Connection) -> Bool { isHeard(connection) }

    /// Opens the vault for all waiting callers.
    package func unlock(for connection: Connection, until interest: Cancellation) -> Bool {
        guard (try? core.unlock(asking: asker(connection), by: connection.peer, interest)) != nil else {
            return false
        }
        // The keys are available after every observer was called.
        core.settle()
        return true
    }

    /// Restarts the idle time.
    package func noteUse() { core.touchUse() }
}

extension KeyRing: LockObserver {
    /// Offers the keys of the vault.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) { open(vault) }

    /// Wipes all keys, before observers that may wait.
    package func vaultCloses(_ vault: OpenVault, _ reason: LockReason) { lock(vault) }

    /// Wipes all keys.
    package func vaultLocked(_ reason: LockReason) { lock() }
}
