public import VaultCrypto

/// The beginning of an export: the parameters of its key, and the check that recognises the right passphrase.
struct ExportHeader {
    static let magic = Array("HSIPEXPORT1\n".utf8)
    /// The bytes with which the files of every version begin.
    static let family = Array("HSIPEXPORT".utf8)
    static let checkSize = 32
    static let size = magic.count + 4 + 4 + PasswordHash.saltSize + checkSize

    let parameters: PasswordHash.Parameters
    let salt: [UInt8]

    /// The bytes before the check, to which every key is bound.
    var open: [UInt8] {
        Self.magic + Self.bytes(parameters.operations) + Self.bytes(parameters.kibibytes) + salt
    }

    /// Derives the two keys from a passphrase.
    ///
    /// - Throws: `outOfMemory`.
    func keys(_ passphrase: Secret) throws(ExportError) -> ExportKeys {
        do throws(CryptoError) {
            let root = try PasswordHash.derive(passphrase, salt: salt, parameters: parameters, count: 32)
            return ExportKeys(
                slices: Secret(
                    try HKDF.expand(root, info: Array("hsip export v1 slices".utf8) + open, count: 32)
                ),
                check: try HKDF.expand(
                    root,
                    info: Array("hsip export v1 check".utf8) + open,
                    count: Self.checkSize
                ).withBytes { $0.copied() }
            )
        } catch {
            throw ExportError(error)
        }
    }

    /// Reads the beginning of a file.
    ///
    /// - Returns: The header and the check that follows it.
    /// - Throws: `malformed`, also for parameters out of bounds, so that no file can demand all memory;
    ///   `unsupportedVersion`; `tampered` for a file that is too short.
    static func read(_ file: [UInt8]) throws(ExportError) -> (header: ExportHeader, check: [UInt8]) {
        guard file.starts(with: family) else { throw .malformed }
        guard file.starts(with: magic) else { throw .unsupportedVersion }
        guard file.count >= size else { throw .tampered }
        let start = magic.count
        guard
            let parameters = try? PasswordHash.Parameters(
                operations: number(file[start..<start + 4]),
                kibibytes: number(file[start + 4..<start + 8])
            ), isModest(parameters)
        else { throw .malformed }
        let salt = Array(file[start + 8..<start + 8 + PasswordHash.saltSize])
        return (ExportHeader(parameters: parameters, salt: salt), Array(file[size - checkSize..<size]))
    }

    /// Whether the parameters need at most twice the memory and twice the work of the standard parameters.
    ///
    /// So the sender of a file cannot decide how long its reader waits.
    private static func isModest(_ parameters: PasswordHash.Parameters) -> Bool {
        let own = PasswordHash.standard
        func work(_ parameters: PasswordHash.Parameters) -> UInt64 {
            UInt64(parameters.operations) * UInt64(parameters.kibibytes)
        }
        return parameters.kibibytes <= 2 * own.kibibytes && work(parameters) <= 2 * work(own)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The keys derived from a header and a passphrase.
struct ExportKeys {
    /// The key that seals the slices.
    let slices: Secret
    /// The value in the file that commits to the passphrase.
    let check: [UInt8]

    /// The nonce of a slice: its number, and whether it is the last.
    static func nonce(_ index: UInt64, isLast: Bool) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceSize)
        for byte in 0..<8 { nonce[byte] = UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * byte)) }
        nonce[8] = isLast ? 1 : 0
        return nonce
    }
}

/// The limits of an export file (Schemas/export.md), checked before memory is allocated.
public enum ExportLimits {
    /// Bytes of a whole file: 256 MiB.
    public static let file = 256 << 20
    /// Bytes of the content of one slice: 64 KiB.
    public static let slice = 64 << 10
    /// The most items in one export.
    public static let items = 200_000
    /// Bytes of a name.
    public static let name = 512
    /// Bytes of the content of an item; this is also the limit of a record.
    public static let content = 16 << 20
}

/// One item of an export: its kind, its name, and the bytes that a vault stores for it.
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

    /// Makes an item to export.
    public init(_ kind: Kind, _ name: String, _ content: Secret) {
        self.kind = kind
        self.name = name
        self.content = content
    }
}

/// The reason why an export cannot be read or made; it never contains content of the export.
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
