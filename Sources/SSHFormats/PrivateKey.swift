internal import Crypto
internal import CryptoExtras
public import VaultCrypto

/// A private key whose two halves belong together; its secret parts are in locked memory.
///
/// A key of an unsupported type is preserved: it can be written again, but not used. If the private part is the
/// handle of a security key, that device makes the signatures.
public struct PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The public half, with the comment.
    public private(set) var publicKey: PublicKey
    let parts: PrivateParts

    /// The size of the longest private key that is read, in bytes.
    public static let longestWire = 256 << 10

    /// Creates a key from parts that were validated.
    init(_ publicKey: PublicKey, _ parts: PrivateParts) {
        self.publicKey = publicKey
        self.parts = parts
    }

    /// Reads a key from its wire format, as agents and key files contain it: the type and its fields.
    ///
    /// `publicKey` supplies the comment. It must be the public half. It is required for an unsupported type.
    ///
    /// - Throws: `SSHFormatError.halvesDiffer` if the halves do not belong together; `badKey` if the numbers are not
    ///   a valid key; `unsupportedKeyType`; the errors of the wire format.
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

    /// The comment: any bytes.
    ///
    /// It can be changed without a change of the key.
    public var comment: [UInt8] {
        get { publicKey.comment }
        set { publicKey.comment = newValue }
    }

    /// The type of the key.
    public var algorithm: KeyAlgorithm { publicKey.algorithm }

    /// Whether the vault has the private half, and can sign with it.
    public var isUsable: Bool {
        switch parts {
        case .ed25519, .ecdsa, .rsa: true
        case .handle, .opaque: false
        }
    }

    /// Returns the key in wire format, as agents and key files contain it: the type and its fields.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public func wire() throws(SSHFormatError) -> SecretBytes {
        var writer = try SecretWriter()
        try write(to: &writer)
        return try writer.finish()
    }

    /// Names the public key only.
    public var description: String { "<private key \(publicKey.fingerprint)>" }

    /// Empty, so that no debugger output shows the secret parts.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PrivateKey {
    /// The sizes of new RSA keys in bits: the default of OpenSSH, and a larger one.
    public static let rsaSizes = [3072, 4096]

    /// Generates an Ed25519 key.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public static func ed25519(
        comment: [UInt8] = [],
        entropy: Entropy
    ) throws(SSHFormatError) -> PrivateKey {
        let seed = try translating { () throws(PrimitiveError) in try entropy.secret(Signing.seedSize) }
        let point = try translating { () throws(PrimitiveError) in try Signing.publicKey(seed: seed) }
        return PrivateKey(
            PublicKey(.ed25519, .ed25519(point), comment: comment),
            .ed25519(seed: Secret(seed))
        )
    }

    /// Generates an ECDSA key.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`; `badKey` if the entropy source is broken (128 numbers out of range).
    public static func ecdsa(
        _ curve: ECDSACurve,
        comment: [UInt8] = [],
        entropy: Entropy
    ) throws(SSHFormatError) -> PrivateKey {
        // Numbers are drawn until one is in range (FIPS 186-5 A.2.2). For P-256 and P-384 the first is nearly always
        // in range, and so for P-521 after the unused bits of its first byte are cleared.
        for _ in 0..<128 {
            let scalar = try candidate(curve, entropy)
            guard let point = try? curve.publicPoint(of: scalar) else { continue }
            return PrivateKey(
                PublicKey(.ecdsa(curve), .ecdsa(curve, point: point), comment: comment),
                .ecdsa(curve, scalar: Secret(scalar))
            )
        }
        throw .badKey
    }

    /// Generates an RSA key of 3,072 or 4,096 bits, which needs a second or several.
    ///
    /// This is the only function here with a random source of its own: the library finds primes with the generator of
    /// the operating system.
    ///
    /// - Throws: `SSHFormatError.rsaTooShort` below 3,072 bits; `malformed` for any other size; `outOfMemory`.
    public static func rsa(bits: Int, comment: [UInt8] = []) throws(SSHFormatError) -> PrivateKey {
        guard bits >= 3072 else { throw .rsaTooShort(bits: bits) }
        guard rsaSizes.contains(bits) else { throw .malformed }
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits)) else {
            throw .outOfMemory
        }
        let (modulus, exponent, secrets) = try RSASecrets.parts(of: key)
        let parts = PublicParts.rsa(exponent: exponent, modulus: modulus)
        return PrivateKey(PublicKey(.rsa, parts, comment: comment), .rsa(secrets))
    }

    private static func candidate(
        _ curve: ECDSACurve,
        _ entropy: Entropy
    ) throws(SSHFormatError) -> SecretBytes {
        var scalar = try translating { () throws(PrimitiveError) in try entropy.secret(curve.scalarSize) }
        let mask = UInt8(0xFF) >> UInt8(curve.scalarSize * 8 - curve.bits)
        scalar.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { bytes in
                if unsafe !bytes.isEmpty { unsafe bytes[0] &= mask }
            }
        }
        return scalar
    }
}

extension PrivateKey {
    private static let addIdentity: UInt8 = 17

    /// Reads the request that adds a key to an agent (RFC 9987, `SSH_AGENTC_ADD_IDENTITY`), as `ssh-add` sends it
    /// after it has opened a key file.
    ///
    /// - Throws: `SSHFormatError.malformed` for another message; the errors of reading a key; `trailingBytes`.
    public init(addition message: Secret) throws(SSHFormatError) {
        var reader = SecretReader(message)
        guard try reader.byte() == Self.addIdentity else { throw .malformed }
        guard try Self.opaqueType(reader) == nil else { throw .unsupportedKeyType }
        var key = try PrivateKey(from: &reader)
        key.comment = try reader.string(limit: Self.longestWire)
        guard !key.comment.contains(0) else { throw .malformed }
        guard reader.remaining == 0 else { throw .trailingBytes }
        self = key
    }
}
