public import VaultCrypto

/// An encrypted or plain key file of OpenSSH (`openssh-key-v1`, PROTOCOL.key).
///
/// The public half is readable. `open` returns the private half.
public struct OpenSSHKeyFile: Sendable {
    /// The size of the largest file that is read, in bytes.
    public static let longestText = 1 << 20
    /// The largest number of rounds that is computed for a file, unless the caller allows more.
    ///
    /// This many rounds need more than a minute. A file with more could keep a program busy for years. `ssh-keygen`
    /// writes 16 or 24.
    public static let roundLimit: UInt32 = 10_000
    /// The number of rounds in new files, as in current OpenSSH.
    public static let defaultRounds: UInt32 = 24
    /// The cipher of new files, as in OpenSSH.
    public static let defaultCipher = KeyFileCipher.aes256CTR

    static let magic = Array("openssh-key-v1\0".utf8)
    static let longestSection = 512 << 10

    /// The public half.
    ///
    /// It has no comment: the comment is encrypted with the private half.
    public let publicKey: PublicKey
    /// The cipher of the private half.
    public let cipher: KeyFileCipher
    /// The number of bcrypt rounds of this file; zero if it has no passphrase.
    public let rounds: UInt32

    let salt: [UInt8]
    /// The private half as stored in the file; plaintext if the file has no passphrase.
    let body: Secret
    let tag: [UInt8]

    /// Whether reading the private half needs a passphrase.
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
    /// Reads a file from its text: lines of any width, with either line ending.
    ///
    /// It decrypts nothing.
    ///
    /// - Throws: `SSHFormatError.noKey` if no line starts a key file, `truncated` if no line ends it, `trailingBytes`
    ///   if text follows it; `malformedBase64`; `severalKeys`; `unknownCipher`, `tripleDESRefused`, `unknownKDF`; the
    ///   errors of `PublicKey`; `malformed` and the other errors of the wire format.
    public init(text: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        guard text.count <= Self.longestText else { throw .oversized(limit: Self.longestText) }
        try self.init(bytes: Secret(try KeyFileArmor.decode(text)))
    }

    /// Reads a file from the bytes of its base64.
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

    /// Returns the private key with its comment, after a comparison of both halves.
    ///
    /// The passphrase is ignored if the file has none.
    ///
    /// - Throws: `SSHFormatError.passphraseNeeded` if the passphrase is missing or empty; `wrongPassphrase`;
    ///   `tooManyRounds` above `roundLimit`, before any computation; `halvesDiffer` if the public half in the file
    ///   belongs to another key; the errors of `PrivateKey`.
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
            // A cipher with large blocks needs more padding. It is cut to less than 8 bytes: the kept bytes do not
            // show the cipher.
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

    /// Reads salt and rounds.
    ///
    /// A cipher requires bcrypt, and an unencrypted file must not have it.
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
