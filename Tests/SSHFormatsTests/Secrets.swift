import SSHFormats
import VaultCrypto

/// A passphrase in locked memory.
func passphrase(_ text: String) throws -> Secret { try Secret(copying: text.bytes) }

/// The bytes of a secret, for comparing in tests.
func exposed(_ secret: borrowing some ByteSource & ~Copyable) -> [UInt8] {
    secret.withBytes { $0.copied() }
}

extension OpenSSHKeyFile {
    /// The key in a file.
    static func key(_ text: [UInt8], _ words: String? = nil) throws -> PrivateKey {
        try OpenSSHKeyFile(text: text).open(passphrase: try words.map(passphrase))
    }
}
