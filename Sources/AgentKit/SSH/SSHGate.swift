package import SSHFormats
package import VaultPolicy

/// Who decides whether a key may be used, asks where a person has to be asked, and writes it down.
package protocol SSHGate: Sendable {
    /// Whether an act may happen now; when it says yes, that is in the log already.
    ///
    /// Waits on the thread of the caller for as long as a person takes.
    func permits(_ act: Act, for connection: Connection, until interest: Cancellation) -> Bool

    /// Whether a change that another machine wants may happen now: a person is asked each time; when it says yes, that is in
    /// the log already.
    ///
    /// `hosts` are the machines that the request came through, the nearest last.
    func permits(
        _ change: RingChange,
        through hosts: [String],
        for connection: Connection,
        until interest: Cancellation
    ) -> Bool

    /// How the person is told about an act for which a security key is touched; nil if the vault is locked.
    func person(for act: Act, of connection: Connection, until interest: Cancellation)
        -> SecurityKeySigner.Person?

    /// Writes down that an act which was permitted came to nothing.
    func noteFailure(of act: Act, _ fault: SecurityKeyFault, for connection: Connection)

    /// Writes down what is done to the keys, before it is; false where that cannot be.
    func records(_ change: RingChange, for connection: Connection) -> Bool

    /// Writes down that a bind was refused because of the key of its host.
    func noteRefusal(of host: HostFacts, for connection: Connection)
}

/// The vault, as the server for ssh has to do with it: open, or to be opened.
package protocol SSHVaultSource: Sendable {
    /// Opens the vault if it is locked, together with all others who wait for the same.
    ///
    /// Waits on the thread of the caller for as long as a person takes.
    ///
    /// - Returns: whether it is open now.
    func unlock(for connection: Connection, until interest: Cancellation) -> Bool

    /// Whether there is a person who can be asked to open it.
    func canAsk(for connection: Connection) -> Bool

    /// A secret was used: the time without use starts again.
    func noteUse()
}

/// What a program does to the keys that ssh may use.
package enum RingChange: Equatable, Sendable {
    /// Adds one, until the vault locks.
    case add(name: String, fingerprint: String)
    /// Puts one into the vault.
    case store(name: String, fingerprint: String)
    /// Takes one out, until the vault is opened again.
    case remove(name: String, fingerprint: String)
    /// Takes all out.
    case removeAll(count: Int)
}
