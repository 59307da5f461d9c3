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
