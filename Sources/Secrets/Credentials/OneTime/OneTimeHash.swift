internal import Crypto
internal import VaultCrypto

/// The hash function in the HMAC of one-time passwords (RFC 6238 section 1.2).
public enum OneTimeHash: String, CaseIterable, Codable, Sendable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    /// The HMAC of a counter: 20, 32 or 64 bytes.
    func tag(of counter: UInt64, key: borrowing Secret) -> [UInt8] {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
        return key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                let key = unsafe SymmetricKey(data: key)
                return switch self {
                case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
                case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
                case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
                }
            }
        }
    }
}
