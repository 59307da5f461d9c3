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
