public import VaultCrypto

extension OpenSSHKeyFile {
    /// Encrypts a private key with a passphrase; an empty passphrase or none leaves it unencrypted.
    ///
    /// - Throws: `SSHFormatError.tooManyRounds` above `roundLimit`, so that the file can be read again; `malformed`
    ///   for zero rounds; `unknownCipher` for a passphrase together with the cipher `none`; `outOfMemory`.
    public init(
        _ key: PrivateKey,
        passphrase: Secret?,
        cipher: KeyFileCipher = defaultCipher,
        rounds: UInt32 = defaultRounds,
        entropy: Entropy
    ) throws(SSHFormatError) {
        let check = entropy.bytes(4)
        guard let passphrase, passphrase.count > 0 else {
            let section = try Self.section(of: key, check: check, blockSize: KeyFileCipher.none.blockSize)
            let bare = PublicKey(key.publicKey, comment: [])
            self.init(publicKey: bare, cipher: .none, salt: [], rounds: 0, body: Secret(section), tag: [])
            return
        }
        guard cipher != .none else { throw .unknownCipher }
        guard rounds <= Self.roundLimit else { throw .tooManyRounds(rounds: rounds, limit: Self.roundLimit) }
        let salt = entropy.bytes(16)
        let size = cipher.keySize + cipher.ivSize
        let material = try BcryptPBKDF.key(passphrase, salt: salt, rounds: rounds, count: size)
        let section = try Self.section(of: key, check: check, blockSize: cipher.blockSize)
        let (body, tag) = try cipher.encrypt(section, with: material)
        let bare = PublicKey(key.publicKey, comment: [])
        self.init(publicKey: bare, cipher: cipher, salt: salt, rounds: rounds, body: body, tag: tag)
    }

    /// Returns the file as OpenSSH writes it, in locked memory.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public func text() throws(SSHFormatError) -> SecretBytes {
        var writer = try SecretWriter(capacity: body.count + publicKey.blob.count + 256)
        try writer.raw(Self.magic)
        try writer.string(Array(cipher.rawValue.utf8))
        if isEncrypted {
            var options = WireWriter()
            options.string(salt)
            options.uint32(rounds)
            try writer.string(Array("bcrypt".utf8))
            try writer.string(options.bytes)
        } else {
            try writer.string(Array("none".utf8))
            try writer.string([UInt8]())
        }
        try writer.number(UInt32(1))
        try writer.string(publicKey.blob)
        try writer.string(body)
        try writer.raw(tag)
        return try KeyFileArmor.encode(try writer.finish())
    }

    /// Returns the text to encrypt: the check number twice, the key, its comment, and the padding 1, 2, 3 … to a
    /// whole block.
    private static func section(
        of key: PrivateKey,
        check: [UInt8],
        blockSize: Int
    ) throws(SSHFormatError) -> SecretBytes {
        var writer = try SecretWriter()
        try writer.raw(check + check)
        try key.write(to: &writer)
        var padding: UInt8 = 0
        if case .opaque(let whole) = key.parts {
            // The text already contains the comment and some padding. The padding continues from its last number.
            padding = whole.paddingEnd
        } else {
            try writer.string(key.comment)
        }
        while !writer.count.isMultiple(of: blockSize) {
            padding &+= 1
            try writer.byte(padding)
        }
        return try writer.finish()
    }
}

extension PublicKey {
    /// Copies a key and replaces its comment.
    init(_ key: PublicKey, comment: [UInt8]) {
        self = key
        self.comment = comment
    }
}

extension Secret {
    /// Returns the last number of the padding 1, 2, 3 … at the end; zero if there is no padding.
    var paddingEnd: UInt8 {
        withBytes { span in
            let size = span.byteCount
            for length in stride(from: min(size, 255), to: 0, by: -1) {
                let isPadding = (1...length).allSatisfy { span.byte(at: size - length + $0 - 1) == UInt8($0) }
                if isPadding { return UInt8(length) }
            }
            return 0
        }
    }
}
