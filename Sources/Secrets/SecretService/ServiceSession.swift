package import VaultCrypto

/// A session of a client: how its values are opened and sealed.
package enum ServiceSession: Sendable {
    /// Values travel in clear.
    case plain
    /// Values travel under this key.
    case encrypted(SessionKey)

    /// Answers an OpenSession.
    ///
    /// - Parameters:
    ///   - algorithm: its name, as the client wrote it.
    ///   - input: a text, which says nothing, for `plain`; the client's public value for the other one.
    ///   - pair: our half; it is used up.
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

    /// Opens a value that the client sent; a plain session does not look at the parameters.
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

/// Our half of a key agreement: one for each session, made ahead of the call that wants it.
package struct SessionKeyPair: ~Copyable {
    /// Bytes in the secret exponent: twice the strength that the group has.
    package static let exponentSize = 32

    private let exponent: Secret
    /// 2 to the power of the exponent: 128 bytes.
    package let publicValue: [UInt8]

    /// A new pair.
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

    /// The key of a session with the client whose public value it is; the pair is used up.
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

/// How values travel over the bus, by the names of the Secret Service specification.
package enum SessionAlgorithm: String, CaseIterable, Sendable {
    /// In clear: every program that may listen on the bus reads them.
    case plain
    /// Under a key that both ends agree on; nothing shows a client whom it agreed with.
    case encrypted = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
}

/// The input and output of OpenSession: a variant of one of two types.
package enum SessionInput: Equatable, Sendable {
    /// `s`.
    case text(String)
    /// `ay`.
    case bytes([UInt8])
}

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
