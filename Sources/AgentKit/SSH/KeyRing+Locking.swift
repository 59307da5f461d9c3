extension KeyRing: LockObserver {
    /// Keys are read when they are first used.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) { open(vault.vault) }

    /// Wipes every key.
    package func vaultLocked(_ reason: LockReason) { lock() }
}
