package import VaultCrypto

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
