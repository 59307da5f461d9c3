package import System

/// Why a carrier did nothing.
///
/// Payloads are numbers and names of our own, never what the other side said; only `LogDamage` has a name of that side.
package enum CarrierError: Error, Equatable, Sendable {
    /// Not an address of this kind.
    case badAddress
    /// No answer, or none in time.
    case unreachable
    /// The other side has a certificate or host key that is not the expected one.
    case notTrusted
    /// A server of etcd, by its number in the address, has a certificate that does not fit.
    case badCertificate(CertificateFault, server: Int)
    /// etcd answers, but most of its servers do not.
    case noMajority
    /// etcd lets everybody in: it has no users.
    case loginsOff
    /// The other side refuses the login, or the act.
    case refused
    /// The client certificate has a CommonName, which etcd's gateway refuses.
    case certificateHasName
    /// No room left, here or there.
    case full
    /// More than the limits allow.
    case tooLarge
    /// What the other side keeps is not a log.
    case damaged(LogDamage)
    /// The place before is free too: the log ends before what was seen of it.
    case gap
    /// A program such as Syncthing, Dropbox or Nextcloud copies the folder, so each copy would become a log of its own.
    case synchronized
    /// A program that is needed is not installed.
    case helperMissing(HelperProgram)
    /// No locked memory for a password.
    case outOfMemory
    /// The user ended it.
    case interrupted(signal: Int32)

    /// What a failure of a helper program means where nothing else is known.
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

/// What is wrong with a log on the other side.
package enum LogDamage: Equatable, Sendable {
    /// The entry at this place is missing, and a later one exists.
    case missing(UInt64)
    /// This file or key, as the other side names it, is among the entries, but not an entry.
    case foreign(String)
    /// Nothing more is known.
    case unreadable
}

/// What is wrong with the certificate of a server.
package enum CertificateFault: Sendable {
    /// An authority that is not trusted here has signed it, or none.
    case authority
    /// It is of another host.
    case name
    /// It has expired or is not valid yet, by the clock of this machine.
    case date
}
