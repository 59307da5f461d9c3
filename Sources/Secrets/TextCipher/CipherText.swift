internal import VaultCrypto

/// An encrypted text: `algorithm:base64(salt 16 | iv | ciphertext)`.
public struct CipherText: Equatable, Sendable {
    /// Bytes of salt.
    public static let saltSize = 16
    /// The longest plaintext, 1 MiB.
    public static let longestPlaintext = 1 << 20
    /// The longest text that is read: such a plaintext in base64, wrapped.
    public static let longestText = 3 << 19

    /// How it is encrypted.
    public let algorithm: TextAlgorithm
    let salt: [UInt8]
    let iv: [UInt8]
    let ciphertext: [UInt8]

    init(_ algorithm: TextAlgorithm, salt: [UInt8], iv: [UInt8], ciphertext: [UInt8]) {
        (self.algorithm, self.salt, self.iv, self.ciphertext) = (algorithm, salt, iv, ciphertext)
    }

    /// Reads a text; blanks and line ends in it are passed over, because chats and mails wrap.
    ///
    /// If there is no word before the colon, or no colon, the cipher is `gcm`.
    ///
    /// - Throws: `malformed`, `tooLong`.
    public init(text: [UInt8]) throws(TextCipherError) {
        guard text.count <= Self.longestText else { throw .tooLong }
        var rest = text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }[...]
        var algorithm = TextAlgorithm.gcm
        if let colon = rest.firstIndex(of: 0x3A) {
            let word = String(decoding: rest[..<colon], as: UTF8.self)
            guard let named = TextAlgorithm(rawValue: word) else { throw .malformed }
            algorithm = named
            rest = rest[(colon + 1)...]
        }
        let head = Self.saltSize + algorithm.ivSize
        guard let bytes = StrictBase64.decode(rest), bytes.count >= head, algorithm.allows(bytes.count - head)
        else { throw .malformed }
        guard bytes.count - head <= Self.longestPlaintext + 16 else { throw .tooLong }
        self.init(
            algorithm,
            salt: Array(bytes[..<Self.saltSize]),
            iv: Array(bytes[Self.saltSize..<head]),
            ciphertext: Array(bytes[head...])
        )
    }

    /// The text, on one line.
    public var text: [UInt8] {
        StrictBase64.encodedBytes(salt + iv + ciphertext, after: Array("\(algorithm.rawValue):".utf8))
    }
}

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

/// What can go wrong with a text under a typed key.
public enum TextCipherError: Error, Equatable, Sendable {
    /// Not such a text: another word before it, not base64, too short.
    case malformed
    /// More than a text may have.
    case tooLong
    /// The text to encrypt is not UTF-8.
    case notText
    /// A key without a character.
    case emptyKey
    /// The key is another, or the text was changed: it is impossible to tell which.
    case cannotOpen
    /// Locked memory was not to be had.
    case outOfMemory
}
