internal import CBcrypt
public import VaultCrypto

/// The ciphers of OpenSSH key files, by their names in the files.
public enum KeyFileCipher: String, CaseIterable, Hashable, Sendable {
    case none
    case aes128CBC = "aes128-cbc"
    case aes192CBC = "aes192-cbc"
    case aes256CBC = "aes256-cbc"
    case aes128CTR = "aes128-ctr"
    case aes192CTR = "aes192-ctr"
    case aes256CTR = "aes256-ctr"
    case aes128GCM = "aes128-gcm@openssh.com"
    case aes256GCM = "aes256-gcm@openssh.com"
    case chacha20Poly1305 = "chacha20-poly1305@openssh.com"

    /// Returns the cipher with this name.
    ///
    /// - Throws: `SSHFormatError.tripleDESRefused`, `unknownCipher`.
    public init(name: String) throws(SSHFormatError) {
        guard name != "3des-cbc" else { throw .tripleDESRefused }
        guard let cipher = KeyFileCipher(rawValue: name) else { throw .unknownCipher }
        self = cipher
    }

    /// The size of a key in bytes.
    public var keySize: Int {
        switch self {
        case .none: 0
        case .aes128CBC, .aes128CTR, .aes128GCM: 16
        case .aes192CBC, .aes192CTR: 24
        case .aes256CBC, .aes256CTR, .aes256GCM: 32
        // Two keys: one for the text, one for packet lengths, which a file does not have.
        case .chacha20Poly1305: 64
        }
    }

    /// The size of the initialisation vector in bytes.
    ///
    /// It is derived from the passphrase together with the key.
    var ivSize: Int {
        switch self {
        case .none, .chacha20Poly1305: 0
        case .aes128GCM, .aes256GCM: 12
        case .aes128CBC, .aes192CBC, .aes256CBC, .aes128CTR, .aes192CTR, .aes256CTR: 16
        }
    }

    /// The block size: the length of the encrypted text is a multiple of it.
    var blockSize: Int {
        switch self {
        case .none, .chacha20Poly1305: 8
        default: 16
        }
    }

    /// The size of the tag after the text in bytes.
    var tagSize: Int {
        switch self {
        case .aes128GCM, .aes256GCM, .chacha20Poly1305: 16
        default: 0
        }
    }
}

/// The key derivation of OpenSSH: repeated bcrypt (PROTOCOL.key, kdf `bcrypt`).
public enum BcryptPBKDF {
    /// Derives a key of `count` bytes into locked memory.
    ///
    /// The time is proportional to `rounds`: about 7 ms each.
    ///
    /// - Throws: `SSHFormatError.malformed` for an empty passphrase or salt, for zero rounds, and for more than 1,024
    ///   bytes; `outOfMemory`.
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
