internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import VaultCrypto

extension PrivateKey {
    /// Signs a message; RSA uses SHA-512 unless another algorithm is given.
    ///
    /// Ed25519 signatures are deterministic. ECDSA draws its nonce from the library's own random generator.
    ///
    /// - Throws: `SSHFormatError.wrongSignatureAlgorithm` if the algorithm does not belong to this type of key;
    ///   `unsupportedKeyType` if the private half is not here; `badKey`; `outOfMemory`.
    public func sign(
        _ message: [UInt8],
        algorithm: SignatureAlgorithm? = nil
    ) throws(SSHFormatError) -> SSHSignature {
        guard isUsable, let own = self.algorithm.defaultSignature else { throw .unsupportedKeyType }
        let algorithm = algorithm ?? own
        guard algorithm.keyAlgorithm == self.algorithm else { throw .wrongSignatureAlgorithm }
        return SSHSignature(algorithm: algorithm, value: try value(message, algorithm))
    }

    private func value(
        _ message: [UInt8],
        _ algorithm: SignatureAlgorithm
    ) throws(SSHFormatError) -> [UInt8] {
        switch (parts, publicKey.parts) {
        case (.ed25519(let seed), _):
            return try translating { () throws(PrimitiveError) in try Signing.sign(message, seed: seed) }
        case (.ecdsa(let curve, let scalar), _):
            let pair = try curve.sign(message, scalar: scalar)
            var writer = WireWriter()
            writer.mpint(Array(pair.prefix(curve.scalarSize)))
            writer.mpint(Array(pair.dropFirst(curve.scalarSize)))
            return writer.bytes
        case (.rsa(let secrets), .rsa(let exponent, let modulus)):
            let key = try secrets.key(modulus: modulus, exponent: exponent)
            let signature =
                algorithm == .rsaSHA256
                ? try? key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                : try? key.signature(for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
            guard let signature else { throw .badKey }
            return Array(signature.rawRepresentation)
        default:
            throw .unsupportedKeyType
        }
    }
}

/// What ssh-keygen recorded when a security key made this key (OpenSSH's PROTOCOL.u2f).
public struct SecurityKeyFacts: Hashable, Sendable {
    private static let presence: UInt8 = 0x01
    private static let verification: UInt8 = 0x04

    /// The flags, including bits without a known meaning.
    public let flags: UInt8
    /// The relying party: `ssh:`, or a text that starts with it.
    public let application: [UInt8]

    /// Whether the security key must be touched for each signature.
    public var needsTouch: Bool { flags & Self.presence != 0 }
    /// Whether each signature requires the PIN or a fingerprint.
    public var needsVerification: Bool { flags & Self.verification != 0 }
    /// Whether the key is for ssh only.
    ///
    /// Another relying party might be a web site.
    public var isForSSH: Bool { application.starts(with: "ssh:".utf8) }

    /// Whether the flags of a signature show that the person did everything that the key demands.
    func areMet(by signed: UInt8) -> Bool {
        let demanded = flags & (Self.presence | Self.verification)
        return signed & demanded == demanded
    }
}

extension PrivateKey {
    /// Whether this is the handle of a security key.
    public var isHandle: Bool { if case .handle = parts { true } else { false } }

    /// The recorded facts of a security key; nil for any other key.
    public var securityKey: SecurityKeyFacts? {
        guard case .handle(let handle) = parts, handle.count > 0 else { return nil }
        let application: [UInt8]
        switch publicKey.parts {
        case .securityEd25519(_, let name), .securityECDSA(_, let name): application = name
        case .ed25519, .ecdsa, .rsa, .opaque: return nil
        }
        return SecurityKeyFacts(flags: handle.withBytes { $0.byte(at: 0) }, application: application)
    }
}
