package import VaultCrypto

/// The kinds of keys that the vault makes.
public enum KeyKind: Hashable, Sendable, Codable {
    case ed25519
    case ecdsa(ECDSACurve)
    /// 3,072 or 4,096 bits.
    case rsa(bits: Int)

    /// The kind that takes the place of a key of this type: the same, RSA with at least 3,072 bits.
    ///
    /// Nil for a type that the vault cannot make.
    public init?(like key: PublicKey) {
        switch key.algorithm {
        case .ed25519: self = .ed25519
        case .ecdsa(let curve): self = .ecdsa(curve)
        case .rsa: self = .rsa(bits: (key.bits ?? 0) > 3072 ? 4096 : 3072)
        default: return nil
        }
    }

    /// Makes one.
    package func make(comment: [UInt8], entropy: Entropy) throws(SSHFormatError) -> PrivateKey {
        switch self {
        case .ed25519: try PrivateKey.ed25519(comment: comment, entropy: entropy)
        case .ecdsa(let curve): try PrivateKey.ecdsa(curve, comment: comment, entropy: entropy)
        case .rsa(let bits): try PrivateKey.rsa(bits: bits, comment: comment)
        }
    }
}
