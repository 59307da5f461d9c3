package import System

/// The reason why a carrier operation failed.
///
/// Associated values are our own numbers and names, never text from the other side, except for `LogDamage`, which has
/// a name from there.
package enum CarrierError: Error, Equatable, Sendable {
    /// The address is not valid for this kind of carrier.
    case badAddress
    /// No response arrived in time.
    case unreachable
    /// The other side showed an unexpected certificate or host key.
    case notTrusted
    /// The certificate of an etcd server is not valid; with the number of the server in the address.
    case badCertificate(CertificateFault, server: Int)
    /// etcd responds, but most of its servers do not.
    case noMajority
    /// etcd admits everybody, since it has no users.
    case loginsOff
    /// The other side refused the login or the operation.
    case refused
    /// The client certificate has a CommonName, which etcd's gateway refuses.
    case certificateHasName
    /// No space is left, here or on the other side.
    case full
    /// The data exceeds the limits.
    case tooLarge
    /// The data on the other side is not a log.
    case damaged(LogDamage)
    /// The preceding position is also free: the log is shorter than it was before.
    case gap
    /// A program such as Syncthing, Dropbox or Nextcloud copies the folder, so each copy would become a log of its
    /// own.
    case synchronized
    /// A required program is not installed.
    case helperMissing(HelperProgram)
    /// No locked memory for a password.
    case outOfMemory
    /// The user interrupted the operation.
    case interrupted(signal: Int32)

    /// Returns the meaning of a helper program's failure if nothing more is known.
    init(_ error: ProgramError) {
        self =
            switch error {
            case .missingProgram(let program): .helperMissing(program)
            case .tooLarge: .tooLarge
            case .diskFull: .full
            case .outOfMemory: .outOfMemory
            case .interrupted(let signal): .interrupted(signal: signal)
            default: .unreachable
            }
    }
}

/// The damage of a log on the other side.
package enum LogDamage: Equatable, Sendable {
    /// The entry at this position is missing, although a later one exists.
    case missing(UInt64)
    /// This file or key, by its name on the other side, is among the entries but is not an entry.
    case foreign(String)
    /// The damage is unknown.
    case unreadable
}

/// The fault of a server's certificate.
package enum CertificateFault: Sendable {
    /// It is not signed by an authority that is trusted here.
    case authority
    /// It is for another host.
    case name
    /// It has expired or is not valid yet, by the clock of this machine.
    case date
}
