/// How a text is encrypted under a typed key: the word that stands before it (Schemas/text.md).
public enum TextAlgorithm: String, CaseIterable, Sendable {
    /// AES-256-GCM: a changed text or another key is noticed.
    case gcm
    /// AES-256-CBC with PKCS#7 padding, not authenticated.
    case cbc
    /// AES-256-CTR, not authenticated.
    case ctr

    /// Whether a change of the encrypted text is certainly noticed.
    public var isAuthenticated: Bool { self == .gcm }

    /// Bytes of its nonce or beginning.
    var ivSize: Int { self == .gcm ? 12 : 16 }

    /// Bytes that the shortest ciphertext has: a tag, or a block of padding.
    var leastCiphertext: Int { self == .ctr ? 0 : 16 }

    /// Whether a ciphertext can have so many bytes.
    func allows(_ count: Int) -> Bool {
        count >= leastCiphertext && (self != .cbc || count.isMultiple(of: 16))
    }
}
