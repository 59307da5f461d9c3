internal import VaultCrypto

/// What is refused of the bytes that a client of the Secret Service sends; in brackets what it hears.
package enum ServiceError: Error, Equatable, Sendable {
    /// A session algorithm that is not served (`NotSupported`).
    case unknownAlgorithm
    /// An input of OpenSession that does not belong to its algorithm (`InvalidArgs`).
    case badInput
    /// A public value that is too long, or that agrees on a known secret (`InvalidArgs`).
    case badPublicValue
    /// The parameters of a secret are not an initialisation vector (`InvalidArgs`).
    case badParameters
    /// A value that is not whole blocks, or whose padding is wrong; never which (`InvalidArgs`).
    case badValue
    /// A value above the limit (`LimitsExceeded`).
    case valueTooLong(limit: Int)
    /// A name of an attribute that comes twice, or an attribute that is not UTF-8 (`InvalidArgs`).
    case badAttribute
    /// More of something than an item may have (`LimitsExceeded`).
    case tooMuch(ItemPart, limit: Int)
    /// A record that is neither an item nor a collection, or has parts that neither can have (`Failed`).
    case badItem
    /// A content that a newer program wrote (`Failed`).
    case newerItem
    /// Locked memory is not to be had (`Failed`).
    case outOfMemory
}

extension ServiceError {
    /// What a primitive refuses at a place where its inputs have their sizes.
    init(_ error: CryptoError) { self = .outOfMemory }
}

/// The part of an item that exceeds its limit.
package enum ItemPart: Equatable, Sendable {
    /// How many attributes there are.
    case attributes
    /// Bytes in the name of one.
    case attributeName
    /// Bytes in the value of one.
    case attributeValue
    /// Bytes in all of them.
    case attributeBytes
}
