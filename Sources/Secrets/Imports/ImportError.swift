internal import VaultCrypto

/// Why a whole export is not read; nothing of what it holds is part of the reason.
public enum ImportError: Error, Equatable, Sendable {
    /// Nothing in it but blanks.
    case empty
    /// Longer than `ImportLimits.document`, or with more entries, columns or values than are read.
    case tooLarge
    /// Nested deeper than `ImportLimits.depth`.
    case tooDeep
    /// Not what it says it is; the line where reading stopped, from 1.
    case malformed(line: Int)
    /// Not UTF-8.
    case notText
    /// An XML text with a document type: it could define entities, and no export has one.
    case documentType
    /// The export is encrypted by the program that made it.
    case encrypted
    /// A table without a column of passwords.
    case noPasswordColumn
    /// No form that is known here.
    case unknownFormat
    /// The system has no locked memory left.
    case outOfMemory

    init(_ error: CryptoError) { self = .outOfMemory }
}
