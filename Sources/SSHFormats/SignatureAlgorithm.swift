/// The signature algorithms, by their names in signatures (RFC 8332, 5656, 8709).
///
/// RSA keys have two. SHA-1 (`ssh-rsa`) is not supported.
public enum SignatureAlgorithm: Hashable, Sendable {
    case ed25519
    case ecdsa(ECDSACurve)
    case rsaSHA256
    case rsaSHA512
    /// The signature of an Ed25519 security key; it can be verified here, but not made.
    case securityEd25519
    /// The signature of a P-256 security key; it can be verified here, but not made.
    case securityECDSA

    private static let all: [SignatureAlgorithm] =
        [.ed25519, .rsaSHA256, .rsaSHA512, .securityEd25519, .securityECDSA]
        + ECDSACurve.allCases.map(SignatureAlgorithm.ecdsa)

    /// Returns the algorithm with this name.
    ///
    /// - Throws: `SSHFormatError.sha1Refused` for `ssh-rsa` and `ssh-dss`; `wrongSignatureAlgorithm` for an
    ///   unsupported name.
    public init(name: String) throws(SSHFormatError) {
        guard name != "ssh-rsa", name != "ssh-dss" else { throw .sha1Refused }
        guard let algorithm = Self.all.first(where: { $0.name == name }) else {
            throw .wrongSignatureAlgorithm
        }
        self = algorithm
    }

    /// The name in signatures.
    public var name: String {
        switch self {
        case .rsaSHA256: "rsa-sha2-256"
        case .rsaSHA512: "rsa-sha2-512"
        case .ed25519: KeyAlgorithm.ed25519.name
        case .ecdsa(let curve): KeyAlgorithm.ecdsa(curve).name
        case .securityEd25519: KeyAlgorithm.securityEd25519.name
        case .securityECDSA: KeyAlgorithm.securityECDSA.name
        }
    }

    /// The type of the keys that sign with it.
    public var keyAlgorithm: KeyAlgorithm {
        switch self {
        case .rsaSHA256, .rsaSHA512: .rsa
        case .ed25519: .ed25519
        case .ecdsa(let curve): .ecdsa(curve)
        case .securityEd25519: .securityEd25519
        case .securityECDSA: .securityECDSA
        }
    }
}

extension KeyAlgorithm {
    /// The default signature algorithm of this key type, as in OpenSSH; nil if the type cannot sign.
    public var defaultSignature: SignatureAlgorithm? {
        switch certified {
        case .ed25519: .ed25519
        case .ecdsa(let curve): .ecdsa(curve)
        case .rsa: .rsaSHA512
        case .securityEd25519: .securityEd25519
        case .securityECDSA: .securityECDSA
        case .dsa, .certificate, .unknown: nil
        }
    }
}

/// A signature on the wire (RFC 4253 section 6.6): the name of its algorithm, and what that one makes.
public struct SSHSignature: Hashable, Sendable {
    /// Bytes in the longest signature that is read: RSA of 16,384 bits, with room for what security keys add.
    public static let longest = 4096

    /// How it was made.
    public let algorithm: SignatureAlgorithm
    /// The signature value, in the form that it has in SSH.
    public let value: [UInt8]
    /// Flags and counter of a security key; empty for all other keys.
    public let trailer: [UInt8]

    init(algorithm: SignatureAlgorithm, value: [UInt8], trailer: [UInt8] = []) {
        self.algorithm = algorithm
        self.value = value
        self.trailer = trailer
    }

    /// Reads a signature from its bytes on the wire.
    ///
    /// - Throws: `SSHFormatError.sha1Refused`, `wrongSignatureAlgorithm`; the errors of the wire.
    public init(wire: [UInt8]) throws(SSHFormatError) {
        guard wire.count <= Self.longest else { throw .oversized(limit: Self.longest) }
        var reader = WireReader(wire)
        algorithm = try SignatureAlgorithm(name: try reader.name())
        value = try reader.string(limit: Self.longest)
        switch algorithm {
        case .securityEd25519, .securityECDSA: trailer = try reader.take(5)
        case .ed25519, .ecdsa, .rsaSHA256, .rsaSHA512: trailer = []
        }
        try reader.finish()
    }

    /// The signature on the wire.
    public var wire: [UInt8] {
        var writer = WireWriter()
        writer.string(algorithm.name)
        writer.string(value)
        writer.raw(trailer)
        return writer.bytes
    }
}
