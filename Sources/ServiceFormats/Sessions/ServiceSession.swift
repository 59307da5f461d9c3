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
    /// - Returns: the session, and what the client is answered.
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
