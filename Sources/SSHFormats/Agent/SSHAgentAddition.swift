internal import VaultCrypto

/// A key that is being added to an agent, and the constraints of its use.
public struct SSHAgentAddition: Sendable {
    /// The private key, with its comment.
    public let key: PrivateKey
    /// The certificate that came instead of a plain public half.
    public let certificate: PublicKey?
    /// Seconds until the agent removes the key; nil for never.
    public let lifetime: UInt32?
    /// Whether each use is to be confirmed.
    public let needsConfirmation: Bool
    /// The permitted destinations; nil for everywhere.
    public let destinations: [DestinationConstraint]?

    /// The length of the longest accepted handle of a security key in bytes: far above real ones.
    private static let longestHandle = 8 << 10

    private enum Constraint {
        static let lifetime: UInt8 = 1
        static let confirm: UInt8 = 2
        static let extended: UInt8 = 255
        static let destinations = "restrict-destination-v00@openssh.com"
        /// The library that reaches the security key; a key without it cannot sign.
        static let provider = "sk-provider@openssh.com"
    }

    /// Reads the rest of the request after the message number, with or without constraints.
    ///
    /// An unknown or repeated constraint refuses the key, so that no key is added with fewer constraints than its
    /// owner set. The key is also refused if its comment has several lines or if the CA's signature of its
    /// certificate is invalid: OpenSSH could not read a key list with such an entry.
    init(from reader: inout SecretReader) throws(SSHFormatError) {
        let (key, certificate) = try Self.key(from: &reader)
        if case .handle(let handle) = key.parts, handle.count > Self.longestHandle {
            throw .oversized(limit: Self.longestHandle)
        }
        var named = key
        named.comment = try reader.string(limit: PublicKey.longestComment)
        // OpenSSH could not read a key list with a comment that has to be changed for display.
        guard named.publicKey.listedComment == named.comment else { throw .malformed }
        guard named.isUsable || named.isHandle else { throw .unsupportedKeyType }
        var (lifetime, needsConfirmation, hasProvider): (UInt32?, Bool, Bool) = (nil, false, false)
        var destinations: [DestinationConstraint]?
        while reader.remaining > 0 {
            switch try reader.byte() {
            case Constraint.lifetime where lifetime == nil: lifetime = try reader.uint32()
            case Constraint.confirm where !needsConfirmation: needsConfirmation = true
            case Constraint.extended:
                switch try reader.name() {
                case Constraint.destinations where destinations == nil:
                    let list = try reader.string(limit: PrivateKey.longestWire)
                    destinations = try DestinationConstraint.list(list)
                case Constraint.provider where !hasProvider:
                    // No program makes the agent load a library.
                    guard try reader.string(limit: 4_096) == SecurityKeyHelper.provider else {
                        throw .badOption
                    }
                    hasProvider = true
                case Constraint.destinations, Constraint.provider: throw .duplicateOption
                default: throw .badOption
                }
            case Constraint.lifetime, Constraint.confirm: throw .duplicateOption
            default: throw .badOption
            }
        }
        guard hasProvider == named.isHandle else { throw .badOption }
        self.key = named
        self.certificate = certificate
        self.lifetime = lifetime
        self.needsConfirmation = needsConfirmation
        self.destinations = destinations
    }

    private static func key(
        from reader: inout SecretReader
    ) throws(SSHFormatError) -> (PrivateKey, PublicKey?) {
        guard case .certificate(let plain)? = try PrivateKey.opaqueType(reader) else {
            return (try PrivateKey(from: &reader), nil)
        }
        _ = try reader.name()
        let certificate = try PublicKey(blob: try reader.string(limit: PublicKey.longestBlob))
        guard certificate.algorithm == .certificate(plain) else { throw .typeMismatch }
        _ = try Certificate(signed: certificate)
        // A certificate brings the public half along, so only the secret fields follow.
        var whole = try SecretWriter()
        try whole.string(Array(plain.name.utf8))
        switch certificate.parts {
        case .ed25519:
            for _ in 0..<2 { try whole.string(try reader.secret(limit: 64)) }
        case .ecdsa(let curve, let point):
            try whole.string(Array(curve.rawValue.utf8))
            try whole.string(point)
            try whole.mpint(try reader.secretNumber())
        case .rsa(let exponent, let modulus):
            try whole.mpint(modulus)
            try whole.mpint(exponent)
            for _ in 0..<4 { try whole.mpint(try reader.secretNumber()) }
        case .securityEd25519:
            try whole.string(try reader.string(limit: 32))
            try copyHandle(from: &reader, to: &whole)
        case .securityECDSA(let point, _):
            try whole.string(Array(ECDSACurve.p256.rawValue.utf8))
            try whole.string(point)
            try copyHandle(from: &reader, to: &whole)
        case .opaque: throw .unsupportedKeyType
        }
        let key = try PrivateKey(wire: Secret(try whole.finish()), publicKey: nil)
        guard key.publicKey.isSameKey(as: certificate.plain) else { throw .halvesDiffer }
        return (key, certificate)
    }

    /// Copies application, flags and handle of a key in a security key.
    private static func copyHandle(
        from reader: inout SecretReader,
        to writer: inout SecretWriter
    ) throws(SSHFormatError) {
        try writer.string(try reader.string(limit: 1_024))
        try writer.byte(try reader.byte())
        for _ in 0..<2 { try writer.string(try reader.secret(limit: longestHandle)) }
    }
}
