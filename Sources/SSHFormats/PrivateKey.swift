public import VaultCrypto

/// A private key whose two halves are known to belong together; what is secret lies in locked memory.
///
/// Keys of types without a meaning here and the handles of security keys are kept as they are: they can be
/// written again, not used.
public struct PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The public half, with the comment.
    public private(set) var publicKey: PublicKey
    let parts: PrivateParts

    /// Bytes in the longest private key that is read.
    public static let longestWire = 256 << 10

    /// A key of parts that are checked.
    init(_ publicKey: PublicKey, _ parts: PrivateParts) {
        self.publicKey = publicKey
        self.parts = parts
    }

    /// Reads a key from its bytes on the wire, as agents and key files have them: the type and its fields.
    ///
    /// `publicKey` gives the comment. It must be the public half; a type without a meaning here cannot be read
    /// without it.
    ///
    /// - Throws: `SSHFormatError.halvesDiffer` when the halves do not belong together; `badKey` when the numbers
    ///   are no key; `unsupportedKeyType`; the errors of the wire.
    public init(wire: Secret, publicKey: PublicKey?) throws(SSHFormatError) {
        guard wire.count <= Self.longestWire else { throw .oversized(limit: Self.longestWire) }
        var reader = SecretReader(wire)
        if let publicKey, let type = try Self.opaqueType(reader) {
            guard type == publicKey.algorithm else { throw .halvesDiffer }
            self.init(publicKey, .opaque(wire))
            return
        }
        try self.init(from: &reader)
        guard reader.remaining == 0 else { throw .trailingBytes }
        guard let publicKey else { return }
        guard publicKey.isSameKey(as: self.publicKey) else { throw .halvesDiffer }
        self.publicKey = publicKey
    }

    /// The comment, any bytes; it may be changed without touching the key.
    public var comment: [UInt8] {
        get { publicKey.comment }
        set { publicKey.comment = newValue }
    }

    /// The type.
    public var algorithm: KeyAlgorithm { publicKey.algorithm }

    /// Whether the vault can sign with it.
    public var isUsable: Bool {
        switch parts {
        case .ed25519, .ecdsa, .rsa: true
        case .handle, .opaque: false
        }
    }

    /// The key on the wire, as agents and key files have it: the type and its fields.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public func wire() throws(SSHFormatError) -> SecretBytes {
        var writer = try SecretWriter()
        try write(to: &writer)
        return try writer.finish()
    }

    /// Says what key it is, nothing more.
    public var description: String { "<private key \(publicKey.fingerprint)>" }

    /// Has no children to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
