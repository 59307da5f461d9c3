/// Observes openings and locks of the vault.
///
/// Observers are called one after the other, in the order in which they were added.
///
/// An observer must not call the agent's `lock` or `unlock`, and must not wait for a person.
package protocol LockObserver: Sendable {
    /// The vault was opened.
    ///
    /// `seconds` is the time until it locks in any case; nil without such a limit.
    func vaultOpened(_ vault: OpenVault, for seconds: Int?)

    /// The vault will be closed: this is the last chance to write into it.
    ///
    /// The agent waits at most two seconds; later writes find a closed vault.
    func vaultCloses(_ vault: OpenVault, _ reason: LockReason)

    /// A secret was tried; called before `vaultOpened` if it was the right one.
    ///
    /// - Parameters:
    /// - peer: the caller who sent the secret; nil without one.
    /// - isRight: whether the vault opened.
    func unlockTried(by peer: Peer?, isRight: Bool)

    /// The vault is locked, and its store has wiped its keys.
    ///
    /// An observer must now wipe all other data from it.
    func vaultLocked(_ reason: LockReason)

    /// A secret of the vault was used.
    func vaultUsed()

    /// The vault must lock after so many seconds at the latest.
    func vaultLimited(to seconds: Int)
}

extension LockObserver {
    /// Does nothing.
    package func vaultCloses(_ vault: OpenVault, _ reason: LockReason) {}
    /// Does nothing.
    package func unlockTried(by peer: Peer?, isRight: Bool) {}
    /// Does nothing.
    package func vaultUsed() {}
    /// Does nothing.
    package func vaultLimited(to seconds: Int) {}
}

/// The reason why the vault was locked.
package enum LockReason: String, CaseIterable, Sendable {
    /// A request.
    case request
    /// The idle time passed.
    case idle
    /// The longest open time passed.
    case absolute
    /// The machine is suspending.
    case sleep
    /// The screen was locked.
    case screen
    /// The session ended.
    case session
    /// The agent is stopping.
    case stop
    /// The vault's file was removed or replaced.
    case vaultGone
    /// Another process changed the key of the vault.
    case rekeyed
}
