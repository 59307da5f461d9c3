/// Told when the vault opens and locks; called one after the other, in the order in which they were added.
///
/// None of these may call the agent's `lock` or `unlock`, and none may wait for a person.
package protocol LockObserver: Sendable {
    /// The vault was opened.
    ///
    /// - Parameter seconds: until it has to lock whatever happens, if somebody said so.
    func vaultOpened(_ vault: OpenVault, for seconds: Int?)

    /// The vault is locked; its store has forgotten its keys. Whatever else came from it has to be wiped now.
    func vaultLocked(_ reason: LockReason)

    /// Somebody used a secret of the vault.
    func vaultUsed()

    /// It has to lock after so many seconds, if not before.
    func vaultLimited(to seconds: Int)
}

extension LockObserver {
    /// Does nothing.
    package func vaultUsed() {}
    /// Does nothing.
    package func vaultLimited(to seconds: Int) {}
}
