internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
public import VaultCrypto

extension PrivateKey {
    /// What stands before the 32 bytes of an Ed25519 key (RFC 8410 section 7).
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let lineWidth = 64

    /// Takes an Ed25519 key from the one form of 48 bytes that PKCS#8 has for it (RFC 8410 section 7).
    ///
    /// - Throws: `SSHFormatError.unsupportedKeyType` for any other bytes; `outOfMemory`.
    public init(ed25519InPKCS8 der: borrowing SecretBytes) throws(SSHFormatError) {
        let head = Self.ed25519Prefix.count
        guard der.count == head + 32, ConstantTime.equal(try der.part(0..<head), Self.ed25519Prefix) else {
            throw .unsupportedKeyType
        }
        let seed = try der.part(head..<head + 32)
        let point = try translating { () throws(PrimitiveError) in try Signing.publicKey(seed: seed) }
        self.init(PublicKey(.ed25519, .ed25519(point)), .ed25519(seed: Secret(seed)))
    }

    /// The key in PKCS#8, not encrypted, as DER.
    ///
    /// - Throws: `SSHFormatError.unsupportedKeyType` for a key that cannot be used; `outOfMemory`.
    public func pkcs8() throws(SSHFormatError) -> SecretBytes {
        switch (parts, publicKey.parts) {
        case (.ed25519(let seed), _):
            var writer = try SecretWriter()
            try writer.raw(Self.ed25519Prefix)
            try writer.raw(seed)
            return try writer.finish()
        case (.ecdsa(let curve, let scalar), _):
            var data = try curve.der(of: scalar)
            return try SecretBytes.taking(&data)
        case (.rsa(let secrets), .rsa(let exponent, let modulus)):
            var data = try secrets.key(modulus: modulus, exponent: exponent).pkcs8DERRepresentation
            return try SecretBytes.taking(&data)
        default: throw .unsupportedKeyType
        }
    }

    /// DER of PKCS#8 as PEM, in locked memory.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public static func pem(pkcs8 der: borrowing SecretBytes) throws(SSHFormatError) -> SecretBytes {
        let base64 = try encoded(der)
        var writer = try SecretWriter(capacity: base64.count * 2 + 128)
        try writer.raw(Array("-----BEGIN PRIVATE KEY-----\n".utf8))
        for start in stride(from: 0, to: base64.count, by: lineWidth) {
            try writer.raw(try base64.part(start..<min(start + lineWidth, base64.count)))
            try writer.byte(0x0A)
        }
        try writer.raw(Array("-----END PRIVATE KEY-----\n".utf8))
        return try writer.finish()
    }

    private static func encoded(_ bytes: borrowing SecretBytes) throws(SSHFormatError) -> SecretBytes {
        do throws(PrimitiveError) {
            return try SecretBase64.encode(bytes)
        } catch {
            throw SSHFormatError(error)
        }
    }
}

extension ECDSACurve {
    /// The key of a private number in PKCS#8.
    fileprivate func der(of scalar: Secret) throws(SSHFormatError) -> Data {
        try unsafe scalar.lending(or: .badKey) { scalar in
            switch self {
            case .p256: unsafe try P256.Signing.PrivateKey(rawRepresentation: scalar).derRepresentation
            case .p384: unsafe try P384.Signing.PrivateKey(rawRepresentation: scalar).derRepresentation
            case .p521: unsafe try P521.Signing.PrivateKey(rawRepresentation: scalar).derRepresentation
            }
        }
    }
}
