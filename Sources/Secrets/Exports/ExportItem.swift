public import VaultCrypto

/// One thing in an export: what it is, its name, and the bytes that a vault keeps of it.
public struct ExportItem: Sendable {
    /// What it is; the numbers of Schemas/export.md.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// When it was made: eight bytes, Unix seconds.
        case about = 0
        /// A password, token, note or file: the content of a record `secret`.
        case secret = 1
        /// An SSH key: the content of a record `ssh.key`.
        case sshKey = 2
        /// A host profile: the content of a record `ssh.host`.
        case sshHost = 3
        /// Known hosts, as the lines of a known_hosts file.
        case knownHosts = 4
    }

    /// What it is.
    public let kind: Kind
    /// Its name; empty for what has none.
    public let name: String
    /// Its content.
    public let content: Secret

    /// A thing to export.
    public init(_ kind: Kind, _ name: String, _ content: Secret) {
        self.kind = kind
        self.name = name
        self.content = content
    }
}

/// Why an export is not read or not made; nothing of what it holds is part of the reason.
public enum ExportError: Error, Equatable, Sendable {
    /// The bytes are no export.
    case malformed
    /// A later version of this program made it, or put things into it that have no meaning here.
    case unsupportedVersion
    /// The passphrase is another one.
    case wrongPassphrase
    /// A part was changed, cut off, or put in another place.
    case tampered
    /// More than `ExportLimits` allow.
    case tooLarge
    /// The system has no locked memory left.
    case outOfMemory

    init(_ error: CryptoError) {
        self = error == .outOfMemory ? .outOfMemory : .tampered
    }
}
