internal import Crypto
internal import VaultCrypto

/// The fingerprint of a host key as it stands in the DNS (RFC 4255, 6594, 7479).
///
/// It proves something only where the answer came with DNSSEC.
public struct SSHFP: Hashable, Sendable, CustomStringConvertible {
    /// How a key is shortened.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// Only for comparing with old records.
        case sha1 = 1
        case sha256 = 2
    }

    /// The number of the key's type: 1 RSA, 2 DSA, 3 ECDSA, 4 Ed25519.
    public let algorithm: UInt8
    /// How it was made.
    public let kind: Kind
    /// 20 bytes of SHA-1 or 32 of SHA-256.
    public let digest: [UInt8]

    /// The record of a key; nil for a type that has no number.
    public init?(of key: PublicKey, _ kind: Kind = .sha256) {
        switch key.algorithm {
        case .rsa: algorithm = 1
        case .dsa: algorithm = 2
        case .ecdsa: algorithm = 3
        case .ed25519: algorithm = 4
        case .securityEd25519, .securityECDSA, .certificate, .unknown: return nil
        }
        self.kind = kind
        digest =
            switch kind {
            case .sha1: Array(Insecure.SHA1.hash(data: key.blob))
            case .sha256: Hash.sha256(key.blob)
            }
    }

    /// Both records of a key, as `ssh-keygen -r` prints them; none for a type without a number.
    public static func all(of key: PublicKey) -> [SSHFP] {
        Kind.allCases.compactMap { SSHFP(of: key, $0) }
    }

    /// What stands after `IN SSHFP` in a zone file.
    public var description: String { "\(algorithm) \(kind.rawValue) \(Hex.encode(digest))" }
}
