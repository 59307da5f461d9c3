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
