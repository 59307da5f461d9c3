internal import VaultCrypto

/// What is refused of the bytes that a client of the Secret Service sends; in brackets what it hears.
package enum ServiceError: Error, Equatable, Sendable {
    /// A session algorithm that is not served (`NotSupported`).
    case unknownAlgorithm
    /// An input of OpenSession that does not belong to its algorithm (`InvalidArgs`).
    case badInput
    /// A public value that is too long, or that agrees on a known secret (`InvalidArgs`).
    case badPublicValue
    /// Parameters of a secret that are no initialisation vector (`InvalidArgs`).
    case badParameters
    /// A value that is not whole blocks, or whose padding is wrong; never which (`InvalidArgs`).
    case badValue
    /// A value above the limit (`LimitsExceeded`).
    case valueTooLong(limit: Int)
    /// Locked memory is not to be had (`Failed`).
    case outOfMemory
}

extension ServiceError {
    /// What a primitive refuses at a place where its inputs have their sizes.
    init(_ error: CryptoError) { self = .outOfMemory }
}
