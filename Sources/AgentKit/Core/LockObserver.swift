/// Called when the vault opens and locks; one after the other, in the order in which they were added.
///
/// None of these may call the agent's `lock` or `unlock`, and none may wait for a person.
package protocol LockObserver: Sendable {
    /// The vault was opened.
    ///
    /// `seconds` says after how long it has to lock whatever happens; it is nil without such a limit.
    func vaultOpened(_ vault: OpenVault, for seconds: Int?)

    /// The vault is about to be closed: the last moment at which something can be written into it.
    ///
    /// It is not waited for long; what takes more than two seconds finds a vault that is closed.
    func vaultCloses(_ vault: OpenVault, _ reason: LockReason)

    /// A secret was tried on the vault; called before `vaultOpened` where that was it.
    ///
    /// - Parameters:
    ///   - peer: whose secret it was; nil where none was brought.
    ///   - isRight: whether the vault opened.
    func unlockTried(by peer: Peer?, isRight: Bool)

    /// The vault is locked; its store has forgotten its keys. Whatever else came from it has to be wiped now.
    func vaultLocked(_ reason: LockReason)

    /// A secret of the vault was used.
    func vaultUsed()

    /// It has to lock after so many seconds, if not before.
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

/// Why the vault was locked.
package enum LockReason: String, CaseIterable, Sendable {
    /// It was asked for.
    case request
    /// It was not used for a while.
    case idle
    /// It was open for as long as it may be.
    case absolute
    /// The machine goes to sleep.
    case sleep
    /// The screen was locked.
    case screen
    /// The session ended.
    case session
    /// The agent ends.
    case stop
    /// The vault's file was taken away or exchanged.
    case vaultGone
    /// Another process changed the key of the vault.
    case rekeyed
}
