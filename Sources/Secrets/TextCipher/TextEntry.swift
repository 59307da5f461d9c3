/// The history entry for one text under a typed key (Schemas/text.md): never its plaintext, never its key.
public struct TextEntry: Sendable, Hashable, Codable {
    /// The action on the text.
    public enum Action: UInt8, Sendable, Hashable, Codable, CaseIterable {
        /// The text was encrypted on this machine.
        case encrypt = 0
        /// The text was decrypted on this machine.
        case decrypt = 1

        /// The word in the JSON output.
        package var word: String {
            switch self {
            case .encrypt: "encrypt"
            case .decrypt: "decrypt"
            }
        }
    }

    /// The encryption algorithm: the word before the colon.
    public enum Algorithm: UInt8, Sendable, Hashable, Codable, CaseIterable {
        case gcm = 0
        case cbc = 1
        case ctr = 2

        /// The word in the text and in the JSON output.
        public var word: String {
            switch self {
            case .gcm: "gcm"
            case .cbc: "cbc"
            case .ctr: "ctr"
            }
        }

        /// Finds the algorithm of a word; nil for an unknown word.
        public init?(word: String) {
            guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
            self = found
        }
    }

    /// Characters that the history keeps; the beginning of a longer text identifies it.
    public static let longestKept = 4_096
    /// Characters of the longest possible text: 1 MiB and its tag in base64, with some reserve.
    public static let longestText = 3 << 19

    /// The action on the text.
    public let action: Action
    /// The encryption algorithm.
    public let algorithm: Algorithm
    /// The base64 after the colon, at most `longestKept` characters.
    public let base64: String
    /// The number of characters after the colon in the whole text.
    public let length: Int

    /// Makes the entry for a text.
    ///
    /// `base64` is the text after the colon, on one line.
    ///
    /// - Throws: `badEntry` for text that is not base64, for an empty text, and for more than `longestText` characters.
    public init(
        _ action: Action,
        _ algorithm: Algorithm,
        base64: String
    ) throws(TextHistoryError) {
        try self.init(
            action,
            algorithm,
            kept: String(base64.utf8.prefix(Self.longestKept)) ?? "",
            of: base64.utf8.count
        )
    }

    /// Restores a stored entry.
    init(_ action: Action, _ algorithm: Algorithm, kept: String, of length: Int) throws(TextHistoryError) {
        guard (1...Self.longestText).contains(length), kept.utf8.count == min(length, Self.longestKept),
            kept.utf8.allSatisfy(Self.isBase64)
        else { throw .badEntry }
        self.action = action
        self.algorithm = algorithm
        base64 = kept
        self.length = length
    }

    /// Decodes an entry from another process, and validates it like foreign input.
    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            try parts.decode(Action.self, forKey: .action),
            try parts.decode(Algorithm.self, forKey: .algorithm),
            kept: try parts.decode(String.self, forKey: .base64),
            of: try parts.decode(Int.self, forKey: .length)
        )
    }

    /// Whether the entry has only the beginning of the text.
    public var isCut: Bool { base64.utf8.count < length }

    /// The text in the form that can be decrypted again, or its beginning.
    public var text: String { "\(algorithm.word):\(base64)" }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }
}
