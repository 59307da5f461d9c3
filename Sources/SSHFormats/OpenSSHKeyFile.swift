internal import VaultCrypto

/// A key file of OpenSSH (`openssh-key-v1`, PROTOCOL.key), closed: its public half can be seen, the private one
/// takes the passphrase.
public struct OpenSSHKeyFile: Sendable {
    /// The longest file that is read.
    public static let longestText = 1 << 20
    /// Rounds that are computed for a file unless the caller allows more.
    ///
    /// They take over a minute; a file that asks for more could keep a program busy for years. `ssh-keygen` makes
    /// 16 or 24.
    public static let roundLimit: UInt32 = 10_000
    /// Rounds of files that are written, as current OpenSSH has it.
    public static let defaultRounds: UInt32 = 24
    /// The cipher of files that are written, as OpenSSH has it.
    public static let defaultCipher = KeyFileCipher.aes256CTR

    static let magic = Array("openssh-key-v1\0".utf8)
    static let longestSection = 512 << 10

    /// The public half, without a comment: that one is encrypted with the private half.
    public let publicKey: PublicKey
    /// How the private half is encrypted.
    public let cipher: KeyFileCipher
    /// Rounds of bcrypt that opening takes; zero without a passphrase.
    public let rounds: UInt32

    let salt: [UInt8]
    /// The private half as it stands in the file; plaintext when there is no passphrase.
    let body: Secret
    let tag: [UInt8]

    /// Whether a passphrase is needed.
    public var isEncrypted: Bool { cipher != .none }

    init(
        publicKey: PublicKey,
        cipher: KeyFileCipher,
        salt: [UInt8],
        rounds: UInt32,
        body: Secret,
        tag: [UInt8]
    ) {
        self.publicKey = publicKey
        self.cipher = cipher
        self.salt = salt
        self.rounds = rounds
        self.body = body
        self.tag = tag
    }
}
