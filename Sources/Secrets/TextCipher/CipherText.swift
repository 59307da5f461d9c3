internal import VaultCrypto

/// An encrypted text: `algorithm:base64(salt 16 | iv | ciphertext)`.
public struct CipherText: Equatable, Sendable {
    /// Bytes of salt.
    public static let saltSize = 16
    /// The longest plaintext, in bytes: 1 MiB.
    public static let longestPlaintext = 1 << 20
    /// The longest text that is read, in bytes: the longest plaintext in wrapped base64.
    public static let longestText = 3 << 19

    /// The encryption algorithm.
    public let algorithm: TextAlgorithm
    let salt: [UInt8]
    let iv: [UInt8]
    let ciphertext: [UInt8]

    init(_ algorithm: TextAlgorithm, salt: [UInt8], iv: [UInt8], ciphertext: [UInt8]) {
        (self.algorithm, self.salt, self.iv, self.ciphertext) = (algorithm, salt, iv, ciphertext)
    }

    /// Reads a text; blanks and line ends in it are ignored, because chats and mails wrap lines.
    ///
    /// If there is no colon, the algorithm is `gcm`.
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

    /// The text on one line.
    public var text: [UInt8] {
        StrictBase64.encodedBytes(salt + iv + ciphertext, after: Array("\(algorithm.rawValue):".utf8))
    }
}

/// The encryption algorithm of a text under a typed key; its name is the word before the colon (Schemas/text.md).
public enum TextAlgorithm: String, CaseIterable, Sendable {
    /// AES-256-GCM, which detects a changed text or a wrong key.
    case gcm
    /// AES-256-CBC with PKCS#7 padding, not authenticated.
    case cbc
    /// AES-256-CTR, not authenticated.
    case ctr

    /// Whether a change of the encrypted text is always detected.
    public var isAuthenticated: Bool { self == .gcm }

    /// Bytes of the nonce or the initialisation vector.
    var ivSize: Int { self == .gcm ? 12 : 16 }

    /// Bytes of the shortest ciphertext: a tag, or a block of padding.
    var leastCiphertext: Int { self == .ctr ? 0 : 16 }

    /// Whether a ciphertext can have this number of bytes.
    func allows(_ count: Int) -> Bool {
        count >= leastCiphertext && (self != .cbc || count.isMultiple(of: 16))
    }
}

/// The errors about a text under a typed key.
public enum TextCipherError: Error, Equatable, Sendable {
    /// The text has an unknown word, is not base64, or is too short.
    case malformed
    /// The text exceeds the limit.
    case tooLong
    /// The text to encrypt is not UTF-8.
    case notText
    /// The key is empty.
    case emptyKey
    /// The key is wrong or the text was changed; nobody can tell which.
    case cannotOpen
    /// No locked memory was available.
    case outOfMemory
}
