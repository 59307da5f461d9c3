package import VaultCrypto

/// The key of an encrypted session: AES-128 in CBC mode with PKCS#7 padding, as the Secret Service names it.
///
/// Values stay in locked memory. The algorithm does not authenticate values: a changed value opens as another value,
/// or not at all.
package struct SessionKey: Sendable {
    /// Bytes in a key.
    package static let size = 16
    /// Bytes in a block, and in an initialisation vector.
    package static let blockSize = AESCBC.blockSize

    private let key: Secret

    /// Makes a session key of 16 bytes.
    init(_ key: Secret) { self.key = key }

    /// Encrypts a value; its length is not secret.
    ///
    /// - Parameters:
    ///   - value: up to 1 MiB.
    ///   - vector: 16 bytes that no other value under this key has used.
    /// - Returns: the vector and the ciphertext.
    /// - Throws: `ServiceError.outOfMemory`.
    func seal(
        _ value: borrowing some ByteSource & ~Copyable,
        vector: [UInt8]
    ) throws(ServiceError) -> SealedValue {
        do {
            let sealed = try AESCBC.encryptPadded(value, key: key, iv: vector)
            return SealedValue(parameters: vector, value: sealed)
        } catch {
            throw .outOfMemory
        }
    }

    /// Decrypts a value; wrong padding needs equally long as right padding.
    ///
    /// - Throws: `ServiceError.badParameters`; `valueTooLong`; `badValue`; `outOfMemory`.
    func open(_ sealed: borrowing SealedValue) throws(ServiceError) -> SecretBytes {
        let (vector, count) = (sealed.parameters, sealed.value.count)
        guard vector.count == Self.blockSize else { throw .badParameters }
        guard count <= SealedValue.longest + Self.blockSize else {
            throw .valueTooLong(limit: SealedValue.longest)
        }
        guard count > 0, count % Self.blockSize == 0 else { throw .badValue }
        let opened: SecretBytes
        do throws(CryptoError) {
            opened = try AESCBC.decryptPadded(sealed.value, key: key, iv: vector)
        } catch {
            throw error == .authenticationFailed ? .badValue : .outOfMemory
        }
        guard opened.count <= SealedValue.longest else {
            throw .valueTooLong(limit: SealedValue.longest)
        }
        return opened
    }
}

/// A value as it is sent: the two middle parts of the `(oayays)` that the bus calls a secret.
package struct SealedValue: ~Copyable {
    /// Bytes in the longest value, 1 MiB.
    package static let longest = 1 << 20

    /// The initialisation vector of an encrypted session; empty in a plain session.
    package let parameters: [UInt8]
    /// The value, encrypted or plain.
    package let value: SecretBytes

    /// Makes a value from its parts.
    package init(parameters: [UInt8], value: consuming SecretBytes) {
        self.parameters = parameters
        self.value = value
    }
}
