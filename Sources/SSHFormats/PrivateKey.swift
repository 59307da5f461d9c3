internal import Crypto
internal import CryptoExtras
public import VaultCrypto

/// A private key whose two halves are known to belong together; what is secret lies in locked memory.
///
/// Keys of types without a meaning here are kept as they are: they can be written again, not used. With the handle of a
/// security key, the device itself signs.
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

    /// Whether the vault has the private half, and can sign with it.
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

extension PrivateKey {
    /// Bits of RSA keys that are made: what OpenSSH makes by default, and more.
    public static let rsaSizes = [3072, 4096]

    /// Makes a new Ed25519 key.
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

    /// Makes a new ECDSA key.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`; `badKey` when the entropy is none (128 numbers out of range).
    public static func ecdsa(
        _ curve: ECDSACurve,
        comment: [UInt8] = [],
        entropy: Entropy
    ) throws(SSHFormatError) -> PrivateKey {
        // Numbers are drawn until one is in range (FIPS 186-5 A.2.2): for P-256 and P-384 nearly always the
        // first, for P-521 as well once the spare bits of its first byte are cut off.
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

    /// Makes a new RSA key of 3,072 or 4,096 bits, in a second or several.
    ///
    /// The one act here whose randomness is not passed in: the library finds primes with the generator of the
    /// operating system alone.
    ///
    /// - Throws: `SSHFormatError.rsaTooShort` below 3,072 bits; `malformed` for another size; `outOfMemory`.
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

    /// Reads the message with which a program hands a key to an agent (RFC 9987, `SSH_AGENTC_ADD_IDENTITY`):
    /// what `ssh-add` sends once it has opened a key file.
    ///
    /// - Throws: `SSHFormatError.malformed` for another message; what reading a key throws; `trailingBytes`.
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
