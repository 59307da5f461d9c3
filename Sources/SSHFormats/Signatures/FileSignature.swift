internal import VaultCrypto

/// A signature of a file as `ssh-keygen -Y` makes it (OpenSSH's PROTOCOL.sshsig).
///
/// It binds a message to a namespace, so that a signature of an e-mail is not valid for a commit.
public struct FileSignature: Hashable, Sendable {
    /// The hash of the message that is signed.
    public enum HashKind: String, CaseIterable, Hashable, Sendable {
        case sha256
        case sha512
    }

    /// The length of the longest namespace in bytes.
    public static let longestNamespace = 255
    /// The length of the longest signature that is read, in bytes.
    public static let longest = 256 << 10

    private static let magic = Array("SSHSIG".utf8)
    private static let version: UInt32 = 1

    /// The key that claims to have signed, or a certificate.
    ///
    /// The signature does not show whose key it is.
    public let key: PublicKey
    /// The purpose of the signature: `git`, `file`, `email` or a private name.
    public let namespace: [UInt8]
    /// Reserved bytes, which are signed with the rest; OpenSSH leaves them empty.
    public let reserved: [UInt8]
    /// The hash of the message.
    public let hash: HashKind
    /// The signature itself.
    public let signature: SSHSignature

    /// Signs a message for a namespace.
    ///
    /// - Throws: `SSHFormatError.badNamespace`; the errors of `PrivateKey.sign`.
    public init(
        of message: [UInt8],
        by key: PrivateKey,
        namespace: [UInt8],
        hash: HashKind = .sha512
    ) throws(SSHFormatError) {
        let data = try Self.signedData(of: message, namespace: namespace, hash: hash)
        let signature = try key.sign(data)
        try self.init(key: key.publicKey, namespace: namespace, hash: hash, signature: signature)
    }

    /// Creates a signature file from an agent's signature of `signedData`.
    ///
    /// - Throws: `SSHFormatError.badNamespace`.
    public init(
        key: PublicKey,
        namespace: [UInt8],
        hash: HashKind,
        signature: SSHSignature
    ) throws(SSHFormatError) {
        try Self.checkNamespace(namespace)
        self.key = PublicKey(key, comment: [])
        self.namespace = namespace
        self.hash = hash
        self.signature = signature
        reserved = []
    }

    /// Reads a signature from its bytes.
    ///
    /// - Throws: `SSHFormatError.noSignature` if the magic is missing; `unsupportedVersion`; `badNamespace`;
    ///   `unknownHash`; `oversized`; the errors of reading keys and signatures.
    public init(bytes: [UInt8]) throws(SSHFormatError) {
        guard bytes.count <= Self.longest else { throw .oversized(limit: Self.longest) }
        var reader = WireReader(bytes)
        guard bytes.starts(with: Self.magic) else { throw .noSignature }
        _ = try reader.take(Self.magic.count)
        let version = try reader.uint32()
        guard version == Self.version else { throw .unsupportedVersion(version) }
        key = try PublicKey(blob: try reader.string())
        namespace = try reader.string()
        try Self.checkNamespace(namespace)
        reserved = try reader.string()
        guard let hash = HashKind(rawValue: try reader.name()) else { throw .unknownHash }
        self.hash = hash
        signature = try SSHSignature(wire: try reader.string(limit: SSHSignature.longest))
        try reader.finish()
    }

    /// The signature as bytes.
    public var bytes: [UInt8] {
        var writer = WireWriter()
        writer.raw(Self.magic)
        writer.uint32(Self.version)
        writer.string(key.blob)
        writer.string(namespace)
        writer.string(reserved)
        writer.string(hash.rawValue)
        writer.string(signature.wire)
        return writer.bytes
    }

    /// Returns the bytes that an agent signs for a message.
    ///
    /// - Throws: `SSHFormatError.badNamespace`.
    public static func signedData(
        of message: [UInt8],
        namespace: [UInt8],
        hash: HashKind
    ) throws(SSHFormatError) -> [UInt8] {
        try checkNamespace(namespace)
        return signedData(digest: hash.digest(of: message), namespace: namespace, reserved: [], hash: hash)
    }

    /// Verifies that the key made this signature of this message for this namespace.
    ///
    /// It does not check whether the key may sign: `AllowedSigners` does.
    ///
    /// - Throws: `SSHFormatError.wrongNamespace`; the errors of `PublicKey.verify`.
    public func verify(_ message: [UInt8], namespace: [UInt8]) throws(SSHFormatError) {
        guard namespace == self.namespace else { throw .wrongNamespace }
        let data = Self.signedData(
            digest: hash.digest(of: message),
            namespace: namespace,
            reserved: reserved,
            hash: hash
        )
        try key.verify(signature, message: data)
    }

    private static func signedData(
        digest: [UInt8],
        namespace: [UInt8],
        reserved: [UInt8],
        hash: HashKind
    ) -> [UInt8] {
        var writer = WireWriter()
        writer.raw(magic)
        writer.string(namespace)
        writer.string(reserved)
        writer.string(hash.rawValue)
        writer.string(digest)
        return writer.bytes
    }

    private static func checkNamespace(_ namespace: [UInt8]) throws(SSHFormatError) {
        guard !namespace.isEmpty, namespace.count <= longestNamespace, !namespace.contains(0) else {
            throw .badNamespace
        }
    }
}

extension FileSignature.HashKind {
    /// The digest of a message.
    func digest(of message: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Hash.sha256(message)
        case .sha512: Hash.sha512(message)
        }
    }
}
