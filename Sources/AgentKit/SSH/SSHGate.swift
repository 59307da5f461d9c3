package import SSHFormats
package import VaultPolicy

/// Decides whether a key may be used, asks a person if necessary, and logs the decision.
package protocol SSHGate: Sendable {
    /// Whether an act is permitted; a permitted act is in the log when this returns.
    ///
    /// It blocks the calling thread while a person answers.
    func permits(_ act: Act, for connection: Connection, until interest: Cancellation) -> Bool

    /// Whether a change that another machine requests is permitted; a person is asked each time, and a permitted
    /// change is in the log when this returns.
    ///
    /// `hosts` are the machines that the request came through, the nearest last.
    func permits(
        _ change: RingChange,
        through hosts: [String],
        for connection: Connection,
        until interest: Cancellation
    ) -> Bool

    /// Returns the prompter that shows an act while its security key waits for a touch; nil if the vault is locked.
    func person(for act: Act, of connection: Connection, until interest: Cancellation)
        -> SecurityKeySigner.Person?

    /// Logs that a permitted act failed.
    func noteFailure(of act: Act, _ fault: SecurityKeyFault, for connection: Connection)

    /// Logs a change of the keys before it happens; false if the log fails.
    func records(_ change: RingChange, for connection: Connection) -> Bool

    /// Logs that a session binding was refused because of its host's key.
    func noteRefusal(of host: HostFacts, for connection: Connection)
}

/// The vault for the ssh server, which it can open.
package protocol SSHVaultSource: Sendable {
    /// Opens the vault if it is locked, for all waiting callers.
    ///
    /// It blocks the calling thread while a person answers.
    ///
    /// - Returns: whether the vault is open now.
    func unlock(for connection: Connection, until interest: Cancellation) -> Bool

    /// Whether a person can be asked to open the vault.
    func canAsk(for connection: Connection) -> Bool

    /// Restarts the idle time after the use of a secret.
    func noteUse()
}

/// A change of the keys for ssh by a program.
package enum RingChange: Equatable, Sendable {
    /// Adds a key until the vault locks.
    case add(name: String, fingerprint: String)
    /// Stores a key in the vault.
    case store(name: String, fingerprint: String)
    /// Removes a key until the vault is opened again.
    case remove(name: String, fingerprint: String)
    /// Removes all keys.
    case removeAll(count: Int)
}
