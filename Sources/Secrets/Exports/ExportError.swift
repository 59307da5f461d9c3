internal import VaultCrypto

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
