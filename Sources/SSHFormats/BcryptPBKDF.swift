internal import CBcrypt
public import VaultCrypto

/// The way OpenSSH makes a key of a passphrase: bcrypt, many times over (PROTOCOL.key, kdf `bcrypt`).
public enum BcryptPBKDF {
    /// A key of `count` bytes in locked memory; the time grows with `rounds`, about 7 ms each.
    ///
    /// - Throws: `SSHFormatError.malformed` for an empty passphrase or salt, no rounds, or more than 1,024 bytes;
    ///   `outOfMemory`.
    public static func key(
        _ passphrase: borrowing some ByteSource & ~Copyable,
        salt: [UInt8],
        rounds: UInt32,
        count: Int
    ) throws(SSHFormatError) -> SecretBytes {
        let sizes = (1...1024, 1...1 << 20)
        guard passphrase.count > 0, rounds > 0, sizes.0.contains(count), sizes.1.contains(salt.count) else {
            throw .malformed
        }
        return unsafe try SecretBytes.making(count) { target in
            passphrase.withBytes { passphrase in
                unsafe passphrase.withUnsafeBytes { passphrase in
                    let start = unsafe passphrase.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    let key = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    let status = unsafe hsip_bcrypt_pbkdf(
                        start,
                        passphrase.count,
                        salt,
                        salt.count,
                        key,
                        count,
                        rounds
                    )
                    return status == 0
                }
            }
        }
    }
}
