package import VaultCrypto

/// A session of a client, which opens and seals values for it.
package enum ServiceSession: Sendable {
    /// Values are sent unencrypted.
    case plain
    /// Values are encrypted with this key.
    case encrypted(SessionKey)

    /// Answers an OpenSession.
    ///
    /// - Parameters:
    ///   - algorithm: the name of the algorithm, as the client wrote it.
    ///   - input: any text for `plain`; the client's public value for the encrypted algorithm.
    ///   - pair: the key pair of this side, which is consumed.
    /// - Returns: the session, and the answer to the client.
    /// - Throws: `ServiceError.unknownAlgorithm`; `badInput`; `badPublicValue`; `outOfMemory`.
    package static func open(
        _ algorithm: String,
        input: SessionInput,
        pair: consuming SessionKeyPair
    ) throws(ServiceError) -> (session: ServiceSession, output: SessionInput) {
        switch (SessionAlgorithm(rawValue: algorithm), input) {
        case (nil, _): throw .unknownAlgorithm
        case (.plain, .text): return (.plain, .text(""))
        case (.encrypted, .bytes(let publicValue)):
            let output = SessionInput.bytes(pair.publicValue)
            return (.encrypted(try pair.key(with: publicValue)), output)
        case (.plain, .bytes), (.encrypted, .text): throw .badInput
        }
    }

    /// Seals a value for the client.
    ///
    /// - Throws: `ServiceError.valueTooLong`; `outOfMemory`.
    package func seal(
        _ value: borrowing some ByteSource & ~Copyable,
        entropy: Entropy = .system
    ) throws(ServiceError) -> SealedValue {
        guard value.count <= SealedValue.longest else { throw .valueTooLong(limit: SealedValue.longest) }
        switch self {
        case .plain: return SealedValue(parameters: [], value: try Self.copied(value))
        case .encrypted(let key): return try key.seal(value, vector: entropy.bytes(SessionKey.blockSize))
        }
    }

    /// Opens a value from the client; a plain session ignores the parameters.
    ///
    /// - Throws: `ServiceError.valueTooLong` before anything is copied; `badParameters`; `badValue`; `outOfMemory`.
    package func open(_ sealed: borrowing SealedValue) throws(ServiceError) -> SecretBytes {
        switch self {
        case .plain:
            guard sealed.value.count <= SealedValue.longest else {
                throw .valueTooLong(limit: SealedValue.longest)
            }
            return try Self.copied(sealed.value)
        case .encrypted(let key): return try key.open(sealed)
        }
    }

    private static func copied(
        _ value: borrowing some ByteSource & ~Copyable
    ) throws(ServiceError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(copying: value) } catch { throw ServiceError(error) }
    }
}

/// The key pair of this side for a key agreement: one for each session, made before the call that needs it.
package struct SessionKeyPair: ~Copyable {
    /// Bytes in the secret exponent: twice the strength of the group.
    package static let exponentSize = 32

    private let exponent: Secret
    /// 2 to the power of the exponent: 128 bytes.
    package let publicValue: [UInt8]

    /// Makes a new pair.
    ///
    /// - Throws: `ServiceError.outOfMemory`.
    package init(entropy: Entropy = .system) throws(ServiceError) {
        do throws(CryptoError) {
            let exponent = try entropy.secret(Self.exponentSize)
            publicValue = try ModularPower.power(of: [2], to: exponent).withBytes { $0.copied() }
            self.exponent = Secret(exponent)
        } catch {
            throw ServiceError(error)
        }
    }

    /// Derives the key of a session from the client's public value, and consumes the pair.
    ///
    /// The key is HKDF-SHA256 of the 128 bytes of the shared number, without salt and info.
    ///
    /// - Throws: `ServiceError.badPublicValue`; `outOfMemory`.
    package consuming func key(with publicValue: [UInt8]) throws(ServiceError) -> SessionKey {
        let none: [UInt8] = []
        do throws(CryptoError) {
            let shared = try ModularPower.power(of: publicValue, to: exponent)
            let material = try HKDF.extract(salt: none, keyMaterial: shared)
            return SessionKey(Secret(try HKDF.expand(material, info: none, count: SessionKey.size)))
        } catch .badPublicKey, .wrongSize {
            throw .badPublicValue
        } catch {
            throw ServiceError(error)
        }
    }
}

/// The way in which values are sent over the bus, with the names of the Secret Service specification.
package enum SessionAlgorithm: String, CaseIterable, Sendable {
    /// Unencrypted: every program that may listen on the bus can read the values.
    case plain
    /// Encrypted with a key that both ends agree on; the client cannot verify with whom it agreed.
    case encrypted = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
}

/// The input and output of OpenSession: a variant with a text or with bytes.
package enum SessionInput: Equatable, Sendable {
    /// A text, of the D-Bus type `s`.
    case text(String)
    /// Bytes, of the D-Bus type `ay`.
    case bytes([UInt8])
}

/// The errors for bytes from a client of the Secret Service; the D-Bus error is in brackets.
package enum ServiceError: Error, Equatable, Sendable {
    /// The session algorithm is not supported (`NotSupported`).
    case unknownAlgorithm
    /// The input of OpenSession does not fit its algorithm (`InvalidArgs`).
    case badInput
    /// The public value is too long, or leads to a known secret (`InvalidArgs`).
    case badPublicValue
    /// The parameters of a secret are not an initialisation vector (`InvalidArgs`).
    case badParameters
    /// The value is not whole blocks, or its padding is wrong; the error never says which (`InvalidArgs`).
    case badValue
    /// The value exceeds the limit (`LimitsExceeded`).
    case valueTooLong(limit: Int)
    /// An attribute name is repeated, or an attribute is not UTF-8 (`InvalidArgs`).
    case badAttribute
    /// The item exceeds the limit of a part (`LimitsExceeded`).
    case tooMuch(ItemPart, limit: Int)
    /// The record is neither an item nor a collection, or has invalid parts (`Failed`).
    case badItem
    /// A newer program wrote the content (`Failed`).
    case newerItem
    /// No locked memory was available (`Failed`).
    case outOfMemory
}

extension ServiceError {
    /// Converts an error of a primitive whose inputs have valid sizes.
    init(_ error: CryptoError) { self = .outOfMemory }
}

/// The part of an item that exceeds its limit.
package enum ItemPart: Equatable, Sendable {
    /// The number of attributes.
    case attributes
    /// The bytes of an attribute name.
    case attributeName
    /// The bytes of an attribute value.
    case attributeValue
    /// The bytes of all attributes.
    case attributeBytes
}
