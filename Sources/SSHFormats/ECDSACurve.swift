internal import Crypto
internal import VaultCrypto

/// The curves of ECDSA keys (RFC 5656 section 10.1).
public enum ECDSACurve: String, CaseIterable, Hashable, Sendable, Codable {
    case p256 = "nistp256"
    case p384 = "nistp384"
    case p521 = "nistp521"

    /// The number of bits of the curve's order, as `ssh-keygen -l` counts them.
    public var bits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The size of a private number or a coordinate in bytes.
    public var scalarSize: Int { (bits + 7) / 8 }

    /// The size of an uncompressed public point in bytes (SEC 1 section 2.3.3).
    public var pointSize: Int { 1 + 2 * scalarSize }
}

extension ECDSACurve {
    /// Returns the public point of a private number.
    ///
    /// - Throws: `SSHFormatError.badKey` if the number is zero, or not below the order of the curve.
    func publicPoint(of scalar: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) -> [UInt8] {
        try unsafe scalar.lending(or: .badKey) { scalar in
            switch self {
            case .p256:
                unsafe Array(
                    try P256.Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
                )
            case .p384:
                unsafe Array(
                    try P384.Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
                )
            case .p521:
                unsafe Array(
                    try P521.Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
                )
            }
        }
    }

    /// Signs a message, hashed as RFC 5656 section 6.2.1 requires.
    ///
    /// The signature is r and s, each padded to full size.
    func sign(
        _ message: [UInt8],
        scalar: borrowing some ByteSource & ~Copyable
    ) throws(SSHFormatError) -> [UInt8] {
        try unsafe scalar.lending(or: .badKey) { scalar in
            switch self {
            case .p256:
                let key = unsafe try P256.Signing.PrivateKey(rawRepresentation: scalar)
                return Array(try key.signature(for: message).rawRepresentation)
            case .p384:
                let key = unsafe try P384.Signing.PrivateKey(rawRepresentation: scalar)
                return Array(try key.signature(for: message).rawRepresentation)
            case .p521:
                let key = unsafe try P521.Signing.PrivateKey(rawRepresentation: scalar)
                return Array(try key.signature(for: message).rawRepresentation)
            }
        }
    }

    /// Whether a signature (r and s, each padded to full size) is valid.
    func isValid(_ signature: [UInt8], message: [UInt8], point: [UInt8]) -> Bool {
        switch self {
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { return false }
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: message)
        case .p384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: point) else { return false }
            guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: message)
        case .p521:
            guard let key = try? P521.Signing.PublicKey(x963Representation: point) else { return false }
            guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else {
                return false
            }
            return key.isValidSignature(signature, for: message)
        }
    }
}
