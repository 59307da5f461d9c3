public import VaultCrypto

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

extension OpenSSHKeyFile {
    /// Reads a file from its text: lines of any width and either line break; nothing is decrypted yet.
    ///
    /// - Throws: `SSHFormatError.noKey` when no line begins such a file, `truncated` when none ends it,
    ///   `trailingBytes` when something stands after it; `malformedBase64`; `severalKeys`; `unknownCipher`,
    ///   `tripleDESRefused`, `unknownKDF`; what `PublicKey` refuses; `malformed` and the other errors of the wire.
    public init(text: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        guard text.count <= Self.longestText else { throw .oversized(limit: Self.longestText) }
        try self.init(bytes: Secret(try KeyFileArmor.decode(text)))
    }

    /// Reads a file from the bytes that its text stands for.
    init(bytes: Secret) throws(SSHFormatError) {
        var reader = SecretReader(bytes)
        for expected in Self.magic {
            guard try reader.byte() == expected else { throw .malformed }
        }
        let cipher = try KeyFileCipher(name: try reader.name())
        let kdf = try reader.name()
        let options = try reader.string(limit: 1024)
        let count = try reader.uint32()
        guard count == 1 else { throw .severalKeys(count: count) }
        let publicKey = try PublicKey(blob: try reader.string(limit: PublicKey.longestBlob))
        let body = try reader.secret(limit: Self.longestSection)
        guard body.count >= cipher.blockSize, body.count.isMultiple(of: cipher.blockSize) else {
            throw .malformed
        }
        let tag = try reader.slice(reader.position..<reader.position + min(cipher.tagSize, reader.remaining))
        guard tag.count == cipher.tagSize else { throw .truncated }
        guard reader.remaining == cipher.tagSize else { throw .trailingBytes }
        let (salt, rounds) = try Self.kdf(kdf, options, isEncrypted: cipher != .none)
        self.init(
            publicKey: publicKey,
            cipher: cipher,
            salt: salt,
            rounds: rounds,
            body: Secret(body),
            tag: tag.withBytes { $0.copied() }
        )
    }

    /// The private key, with its comment; both halves are compared.
    ///
    /// A passphrase for a file without one is not looked at.
    ///
    /// - Throws: `SSHFormatError.passphraseNeeded` for none or an empty one; `wrongPassphrase`; `tooManyRounds`
    ///   above `roundLimit`, before anything is computed; `halvesDiffer` when the public half in the file is of
    ///   another key; what `PrivateKey` refuses.
    public func open(
        passphrase: Secret?,
        roundLimit: UInt32 = roundLimit
    ) throws(SSHFormatError) -> PrivateKey {
        let section = try section(passphrase, roundLimit)
        var reader = SecretReader(section)
        guard try reader.uint32() == reader.uint32() else {
            throw isEncrypted ? .wrongPassphrase : .malformed
        }
        if let type = try PrivateKey.opaqueType(reader) {
            guard type == publicKey.algorithm else { throw .halvesDiffer }
            // A cipher with large blocks has more padding than a file without one: what is kept does not tell.
            let end = section.count - (section.paddingEnd >= 8 ? 8 : 0)
            return PrivateKey(publicKey, .opaque(Secret(try section.part(reader.position..<end))))
        }
        var key = try PrivateKey(from: &reader)
        key.comment = try reader.string(limit: Self.longestSection)
        var expected: UInt8 = 0
        while reader.remaining > 0 {
            expected &+= 1
            guard try reader.byte() == expected else { throw .malformed }
        }
        guard key.publicKey.isSameKey(as: publicKey) else { throw .halvesDiffer }
        return key
    }

    private func section(_ passphrase: Secret?, _ roundLimit: UInt32) throws(SSHFormatError) -> Secret {
        guard isEncrypted else { return body }
        guard let passphrase, passphrase.count > 0 else { throw .passphraseNeeded }
        guard rounds <= roundLimit else { throw .tooManyRounds(rounds: rounds, limit: roundLimit) }
        let size = cipher.keySize + cipher.ivSize
        let key = try BcryptPBKDF.key(passphrase, salt: salt, rounds: rounds, count: size)
        return Secret(try cipher.decrypt(body, tag: tag, with: key))
    }

    /// Salt and rounds; a cipher needs bcrypt, and nothing else may have it.
    private static func kdf(
        _ name: String,
        _ options: [UInt8],
        isEncrypted: Bool
    ) throws(SSHFormatError) -> (salt: [UInt8], rounds: UInt32) {
        switch name {
        case "none":
            guard !isEncrypted, options.isEmpty else { throw .malformed }
            return ([], 0)
        case "bcrypt":
            guard isEncrypted else { throw .malformed }
            var reader = WireReader(options)
            let salt = try reader.string(limit: 1024)
            let rounds = try reader.uint32()
            try reader.finish()
            guard !salt.isEmpty, rounds > 0 else { throw .malformed }
            return (salt, rounds)
        default:
            throw .unknownKDF
        }
    }
}
