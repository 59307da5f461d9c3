package import VaultCrypto

/// Wraps the vault key to a public key of a slot's secret (Schemas/vault-file.md section 2, "Carried slots").
///
/// So the next vault key can be wrapped without the secret, which may be on paper in a drawer.
///
/// The public key is never in clear in a file, and the wrapping key depends on it: a vault file alone is as
/// strong as with a symmetric wrap, even against an attacker who can solve X25519.
package struct CarriedWrap {
    /// Bytes of a public key.
    private static let pointSize = KeyAgreement.keySize

    private let vaultID: [UInt8]
    private let epoch: UInt32

    /// The wraps of one vault key.
    package init(vaultID: [UInt8], epoch: UInt32) {
        self.vaultID = vaultID
        self.epoch = epoch
    }

    /// The public key to wrap to: X25519(kdf(S, 3, "HSIPSLOT"), base).
    ///
    /// It must not appear in clear in a file, so it is kept like a secret.
    package static func publicKey(of stretched: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
        let secret = try Keyslots.agreementKey(stretched)
        do { return try KeyAgreement.hiddenPublicKey(of: secret) } catch { throw StoreError(error) }
    }

    /// Seals a public key under subkey 6, for the next change of the vault key: 72 bytes.
    ///
    /// The seal covers number, kind and proof of the row.
    package func carry(
        _ publicKey: borrowing SecretBytes,
        _ row: SlotRow,
        _ keys: VaultKeys,
        _ entropy: Entropy
    ) throws(StoreError) -> [UInt8] {
        let data = carryData(row)
        let box = try Envelope.seal(publicKey, key: keys.slot, authenticating: data, entropy: entropy)
        return box.opening + box.ciphertext
    }

    /// Opens a sealed public key; throws `tampered(.slots)` if it fails authentication.
    func publicKey(
        in params: CarriedParams,
        _ row: SlotRow,
        _ keys: VaultKeys
    ) throws(StoreError) -> SecretBytes {
        let data = carryData(row)
        let opened = try Envelope.open(params.carry, key: keys.slot, authenticating: data)
        guard let opened, opened.count == Self.pointSize else { throw .tampered(.slots) }
        return opened
    }

    /// Wraps a vault key to a public key: E 32 ‖ 72 bytes.
    ///
    /// The wrap covers all of the row but `sealed` and `note`.
    /// Randomness is drawn in this order: the ephemeral secret, the nonce.
    ///
    /// - Throws: `tampered(.slots)` for an invalid public key.
    package func seal(
        _ vaultKey: borrowing SecretBytes,
        to publicKey: borrowing SecretBytes,
        _ row: SlotRow,
        _ entropy: Entropy
    ) throws(StoreError) -> [UInt8] {
        let point: [UInt8]
        let key: Secret
        do throws(CryptoError) {
            let secret = try entropy.secret(KeyAgreement.keySize)
            point = try KeyAgreement.publicKey(of: secret)
            let shared = try KeyAgreement.sharedSecret(secret, with: publicKey)
            key = Secret(try wrappingKey(shared, point, publicKey))
        } catch {
            throw Self.explain(error)
        }
        let data = row.sealedData(vaultID: vaultID, epoch: epoch)
        let box = try Envelope.seal(vaultKey, key: key, authenticating: data, entropy: entropy)
        return point + box.opening + box.ciphertext
    }

    /// Unwraps a vault key, and checks that the next one will be wrapped to the same secret.
    ///
    /// - Throws: `tampered(.slots)` for a failed authentication, and for a carried key of another secret.
    package func open(
        _ row: SlotRow,
        _ params: CarriedParams,
        _ stretched: borrowing SecretBytes
    ) throws(StoreError) -> SecretBytes {
        guard row.sealed.count > Self.pointSize else { throw .tampered(.slots) }
        let publicKey = try Self.publicKey(of: stretched)
        let key = try openingKey(stretched, Array(row.sealed[..<Self.pointSize]), publicKey)
        let vaultKey = try Envelope.open(
            Array(row.sealed[Self.pointSize...]),
            key: key,
            authenticating: row.sealedData(vaultID: vaultID, epoch: epoch)
        )
        guard let vaultKey, vaultKey.count == VaultKeys.vaultKeySize else { throw .tampered(.slots) }
        let carried = try self.publicKey(in: params, row, try VaultKeys(vaultKey: vaultKey))
        guard ConstantTime.equal(carried, publicKey) else { throw .tampered(.slots) }
        return vaultKey
    }

    /// The wrapping key, derived from the slot's secret.
    package func openingKey(
        _ stretched: borrowing SecretBytes,
        _ point: [UInt8],
        _ publicKey: borrowing SecretBytes
    ) throws(StoreError) -> SecretBytes {
        let secret = try Keyslots.agreementKey(stretched)
        do throws(CryptoError) {
            return try wrappingKey(try KeyAgreement.sharedSecret(secret, with: point), point, publicKey)
        } catch {
            throw Self.explain(error)
        }
    }

    /// H(shared, L(slot-wrap) ‖ vault id ‖ key epoch ‖ E ‖ public key, 32).
    private func wrappingKey(
        _ shared: borrowing SecretBytes,
        _ point: [UInt8],
        _ publicKey: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        var message = VaultLabel.slotWrap.bytes + vaultID
        message.append(bigEndian: epoch)
        let whole = try SecretBytes.joined(message + point, publicKey)
        return try KeyedHash.secretBlake2b(whole, key: shared, count: 32)
    }

    /// L(carry) ‖ vault id ‖ n ‖ kind ‖ proof.
    private func carryData(_ row: SlotRow) -> [UInt8] {
        var data = VaultLabel.carry.bytes + vaultID
        data.append(bigEndian: row.number)
        data.append(bigEndian: row.kind.rawValue)
        return data + row.proof
    }

    private static func explain(_ error: CryptoError) -> StoreError {
        error == .badPublicKey ? .tampered(.slots) : StoreError(error)
    }
}

/// The public parameters of a slot that a new vault key is wrapped to without its secret (kinds 16, 17 and 20):
/// 01 ‖ flags ‖ salt 16 ‖ carry 72 ‖ rest.
package struct CarriedParams: Equatable, Sendable {
    /// Bytes before the rest.
    static let frontSize = 2 + SlotParams.saltSize + carrySize
    /// Nonce, tag, and the public key in cipher.
    static let carrySize = Envelope.openingSize + 32
    /// The version that is read and written.
    static let version: UInt8 = 1

    /// The flags of the slot's kind; 0 for a recovery code.
    let flags: UInt8
    /// The salt of the secret's hash, 16 bytes.
    package let salt: [UInt8]
    /// The public key that the vault key is wrapped to, sealed under subkey 6.
    package let carry: [UInt8]
    /// Further bytes of the slot's kind; empty for a recovery code.
    let rest: [UInt8]

    init(flags: UInt8 = 0, salt: [UInt8], carry: [UInt8], rest: [UInt8] = []) {
        self.flags = flags
        self.salt = salt
        self.carry = carry
        self.rest = rest
    }

    /// Reads stored parameters; nil for another version, or if they are too short.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.frontSize, bytes[0] == Self.version else { return nil }
        let carried = 2 + SlotParams.saltSize
        self.init(
            flags: bytes[1],
            salt: Array(bytes[2..<carried]),
            carry: Array(bytes[carried..<Self.frontSize]),
            rest: Array(bytes[Self.frontSize...])
        )
    }

    /// The stored bytes.
    package var encoded: [UInt8] { [Self.version, flags] + salt + carry + rest }

    /// The parameters with another carry.
    package func carrying(_ carry: [UInt8]) -> CarriedParams {
        CarriedParams(flags: flags, salt: salt, carry: carry, rest: rest)
    }
}
