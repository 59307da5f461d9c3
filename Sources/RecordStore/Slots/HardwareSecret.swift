public import VaultCrypto

/// Derives S of hardware slots, the 32 bytes that wrap the vault key (Schemas/vault-file.md section 2).
public enum HardwareSecret {
    /// Bytes that a security key returns, and that a TPM keeps.
    public static let size = 32
    /// Bytes of a TPM's PIN, UTF-8 in normalisation form C.
    public static let pinSizes = 4...128

    /// H(output, L(fido2) ‖ vault id ‖ salt, 32).
    ///
    /// - Throws: `invalidRecord(.slot)` for an output of another size; `outOfMemory`.
    public static func securityKey(
        _ output: borrowing SecretBytes,
        vaultID: [UInt8],
        salt: [UInt8]
    ) throws(StoreError) -> Secret {
        guard output.count == size else { throw .invalidRecord(.slot) }
        do {
            let message = VaultLabel.fido2.bytes + vaultID + salt
            return Secret(try KeyedHash.secretBlake2b(message, key: output, count: size))
        } catch {
            throw StoreError(error)
        }
    }

    /// H(sealed, L(tpm2) ‖ vault id ‖ salt ‖ B, 32); B is 32 zeros without a PIN.
    ///
    /// So a person who has broken the TPM must still guess the PIN, at the cost of Argon2id for each guess.
    ///
    /// - Throws: `invalidRecord(.slot)` for sealed bytes of another size; `outOfMemory`.
    public static func tpm(
        _ sealed: borrowing some ByteSource & ~Copyable,
        pin: StretchedPIN?,
        vaultID: [UInt8],
        salt: [UInt8]
    ) throws(StoreError) -> Secret {
        guard sealed.count == size else { throw .invalidRecord(.slot) }
        do throws(CryptoError) {
            let front = VaultLabel.tpm2.bytes + vaultID + salt
            let message =
                if let pin { try SecretBytes.joined(front, pin.mixed) } else {
                    try SecretBytes.joined(front, [UInt8](repeating: 0, count: size))
                }
            return Secret(try KeyedHash.secretBlake2b(message, key: sealed, count: size))
        } catch {
            throw StoreError(error)
        }
    }
}

/// A TPM's PIN, stretched by Argon2id: one half for the TPM, one for S.
public struct StretchedPIN: Sendable {
    /// 32 bytes, the last not 0, because a TPM drops zeros at the end.
    public let auth: Secret
    /// 32 bytes.
    let mixed: Secret

    /// Argon2id of a PIN: 3 passes over 64 MiB, 64 bytes.
    ///
    /// Stretching needs at least a tenth of a second.
    ///
    /// - Throws: `invalidRecord(.slot)` for a PIN or salt of another size; `outOfMemory`.
    public init(_ pin: borrowing some ByteSource & ~Copyable, salt: [UInt8]) throws(StoreError) {
        guard HardwareSecret.pinSizes.contains(pin.count), salt.count == SlotParams.saltSize else {
            throw .invalidRecord(.slot)
        }
        do throws(CryptoError) {
            let whole = try PasswordHash.derive(pin, salt: salt, parameters: PasswordHash.floor, count: 64)
            var auth = try whole.slice(0..<32)
            auth.withMutableBytes { bytes in
                unsafe bytes.withUnsafeMutableBytes { unsafe $0[31] |= 1 }
            }
            self.auth = Secret(auth)
            mixed = Secret(try whole.slice(32..<64))
        } catch {
            throw StoreError(error)
        }
    }
}
