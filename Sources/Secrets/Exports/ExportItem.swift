public import VaultCrypto

/// One item of an export: its kind, its name, and the bytes that a vault keeps of it.
public struct ExportItem: Sendable {
    /// The kind of an item; the numbers of Schemas/export.md.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The time of the export: eight bytes, Unix seconds.
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

    /// The kind of the item.
    public let kind: Kind
    /// The name of the item; empty for a kind without names.
    public let name: String
    /// The content of the item.
    public let content: Secret

    /// An item to export.
    public init(_ kind: Kind, _ name: String, _ content: Secret) {
        self.kind = kind
        self.name = name
        self.content = content
    }
}

/// The reason why an export cannot be read or made; it contains nothing of the export's content.
public enum ExportError: Error, Equatable, Sendable {
    /// The bytes are not an export.
    case malformed
    /// A later version of this program made the export, or added items of unknown kinds.
    case unsupportedVersion
    /// The passphrase is wrong.
    case wrongPassphrase
    /// A part was changed, cut off or moved.
    case tampered
    /// The export exceeds `ExportLimits`.
    case tooLarge
    /// No locked memory was available.
    case outOfMemory

    init(_ error: CryptoError) {
        self = error == .outOfMemory ? .outOfMemory : .tampered
    }
}
