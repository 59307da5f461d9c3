internal import Crypto

/// The fields of a public key after its name, one case for each construction.
enum PublicParts: Equatable, Sendable {
    case ed25519([UInt8])
    case ecdsa(ECDSACurve, point: [UInt8])
    case rsa(exponent: [UInt8], modulus: [UInt8])
    case securityEd25519([UInt8], application: [UInt8])
    case securityECDSA(point: [UInt8], application: [UInt8])
    /// The fields are not parsed.
    case opaque

    /// The size of the shortest RSA modulus that OpenSSH accepts, in bits.
    static let shortestModulus = 1024

    private static let longestApplication = 1024

    /// Reads the fields of a plain key that follow its name.
    init(_ algorithm: KeyAlgorithm, from reader: inout WireReader) throws(SSHFormatError) {
        switch algorithm {
        case .ed25519:
            self = .ed25519(try Self.ed25519(from: &reader))
        case .ecdsa(let curve):
            self = .ecdsa(curve, point: try Self.point(curve, from: &reader))
        case .rsa:
            let exponent = try reader.mpint()
            let modulus = try reader.mpint()
            let bits = modulus.bitCount
            guard bits >= Self.shortestModulus else { throw .rsaTooShort(bits: bits) }
            guard exponent.last.map({ $0 & 1 == 1 }) ?? false, exponent != [1] else { throw .badKey }
            guard modulus.last.map({ $0 & 1 == 1 }) ?? false else { throw .badKey }
            self = .rsa(exponent: exponent, modulus: modulus)
        case .securityEd25519:
            let key = try Self.ed25519(from: &reader)
            self = .securityEd25519(key, application: try reader.string(limit: Self.longestApplication))
        case .securityECDSA:
            let point = try Self.point(.p256, from: &reader)
            self = .securityECDSA(
                point: point,
                application: try reader.string(limit: Self.longestApplication)
            )
        case .dsa:
            throw .dsaRefused
        case .certificate, .unknown:
            throw .unsupportedKeyType
        }
    }

    /// Writes the fields; numbers are in their shortest form.
    func write(to writer: inout WireWriter) {
        switch self {
        case .ed25519(let key):
            writer.string(key)
        case .ecdsa(let curve, let point):
            writer.string(curve.rawValue)
            writer.string(point)
        case .rsa(let exponent, let modulus):
            writer.mpint(exponent)
            writer.mpint(modulus)
        case .securityEd25519(let key, let application):
            writer.string(key)
            writer.string(application)
        case .securityECDSA(let point, let application):
            writer.string(ECDSACurve.p256.rawValue)
            writer.string(point)
            writer.string(application)
        case .opaque:
            break
        }
    }

    /// The number of bits as `ssh-keygen -l` counts them; nil if it is unknown.
    var bits: Int? {
        switch self {
        case .ed25519, .securityEd25519, .securityECDSA: 256
        case .ecdsa(let curve, _): curve.bits
        case .rsa(_, let modulus): modulus.bitCount
        case .opaque: nil
        }
    }

    private static func ed25519(from reader: inout WireReader) throws(SSHFormatError) -> [UInt8] {
        let key = try reader.string(limit: 32)
        guard key.count == 32 else { throw .malformed }
        return key
    }

    /// Reads an uncompressed point that is on its curve; the name of the curve precedes it.
    private static func point(
        _ curve: ECDSACurve,
        from reader: inout WireReader
    ) throws(SSHFormatError) -> [UInt8] {
        guard try reader.name() == curve.rawValue else { throw .typeMismatch }
        let point = try reader.string(limit: curve.pointSize)
        guard point.count == curve.pointSize, point.first == 4 else { throw .malformed }
        guard curve.contains(point) else { throw .badKey }
        return point
    }
}

extension ECDSACurve {
    /// Whether an uncompressed point is on the curve.
    func contains(_ point: [UInt8]) -> Bool {
        switch self {
        case .p256: (try? P256.Signing.PublicKey(x963Representation: point)) != nil
        case .p384: (try? P384.Signing.PublicKey(x963Representation: point)) != nil
        case .p521: (try? P521.Signing.PublicKey(x963Representation: point)) != nil
        }
    }
}

extension [UInt8] {
    /// The number of bits of a big-endian number without leading zeros.
    var bitCount: Int {
        guard let first else { return 0 }
        return count * 8 - first.leadingZeroBitCount
    }
}
