internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
public import VaultCrypto

extension PrivateKey {
    /// The bytes before the 32 bytes of an Ed25519 key (RFC 8410 section 7).
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let lineWidth = 64

    /// Reads an Ed25519 key from its PKCS#8 form of 48 bytes (RFC 8410 section 7).
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

    /// Encodes the key as unencrypted PKCS#8, in DER.
    ///
    /// - Throws: `SSHFormatError.unsupportedKeyType` for a key that cannot be used; `outOfMemory`.
    public func pkcs8() throws(SSHFormatError) -> SecretBytes {
        switch (parts, publicKey.parts) {
        case (.ed25519(let seed), _):
            var writer = try SecretWriter()
            try writer.raw(Self.ed25519Prefix)
            try writer.raw(seed)
            return try writer.finish()
        case (.ecdsa(let curve, let scalar), .ecdsa(_, let point)):
            return try curve.der(of: scalar, point)
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
    /// The names of "a public key on a curve" (RFC 5480 section 2.1.1) and of the curve, as DER.
    private var identifiers: [UInt8] {
        let curve: [UInt8] =
            switch self {
            case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
            case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
            case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
            }
        return [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + curve
    }

    /// The key of a private number in PKCS#8 (RFC 5208 section 5, RFC 5915 section 3), put together in locked
    /// memory: the library would leave copies behind.
    fileprivate func der(of scalar: Secret, _ point: [UInt8]) throws(SSHFormatError) -> SecretBytes {
        let bits = Self.head(0x03, point.count + 1) + [0] + point
        let publicPart = Self.head(0xA1, bits.count) + bits
        let number = [0x02, 0x01, 0x01] + Self.head(0x04, scalar.count)
        let inner = Self.head(0x30, number.count + scalar.count + publicPart.count) + number
        let octets = Self.head(0x04, inner.count + scalar.count + publicPart.count)
        let algorithm = [0x02, 0x01, 0x00] + Self.head(0x30, identifiers.count) + identifiers
        let size = algorithm.count + octets.count + inner.count + scalar.count + publicPart.count
        var writer = try SecretWriter(capacity: size + 8)
        try writer.raw(Self.head(0x30, size) + algorithm + octets + inner)
        try writer.raw(scalar)
        try writer.raw(publicPart)
        return try writer.finish()
    }

    /// A tag and a length of less than 64 KiB (X.690 section 8.1).
    private static func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
        let bytes = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        if count < 0x80 { return [tag, bytes[1]] }
        return count < 0x100 ? [tag, 0x81, bytes[1]] : [tag, 0x82] + bytes
    }
}
