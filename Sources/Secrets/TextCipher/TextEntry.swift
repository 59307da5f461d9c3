/// What the history remembers of one text under a typed key (Schemas/text.md): never its plaintext, never its key.
public struct TextEntry: Sendable, Hashable, Codable {
    /// What was done.
    public enum Action: UInt8, Sendable, Hashable, Codable, CaseIterable {
        /// The text was encrypted here.
        case encrypt = 0
        /// It was decrypted here.
        case decrypt = 1

        /// The word in the JSON output.
        package var word: String {
            switch self {
            case .encrypt: "encrypt"
            case .decrypt: "decrypt"
            }
        }
    }

    /// How it is encrypted: the word before its colon.
    public enum Algorithm: UInt8, Sendable, Hashable, Codable, CaseIterable {
        case gcm = 0
        case cbc = 1
        case ctr = 2

        /// The word.
        public var word: String {
            switch self {
            case .gcm: "gcm"
            case .cbc: "cbc"
            case .ctr: "ctr"
            }
        }

        /// The algorithm of a word; nil for another word.
        public init?(word: String) {
            guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
            self = found
        }
    }

    /// Characters that are kept of one text; of a longer one its beginning, which tells it from others.
    public static let longestKept = 4_096
    /// Characters of the longest text that there is: 1 MiB and its tag, in base64, and room to spare.
    public static let longestText = 3 << 19

    /// What was done.
    public let action: Action
    /// How it is encrypted.
    public let algorithm: Algorithm
    /// The base64 after the colon, at most `longestKept` characters of it.
    public let base64: String
    /// How many characters the whole has after the colon.
    public let length: Int

    /// What is to be remembered of a text.
    ///
    /// `base64` is what stands after the colon, on one line. Throws `badEntry` for anything that is not
    /// base64, for nothing, and for more than `longestText`.
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

    /// What was remembered of one.
    init(_ action: Action, _ algorithm: Algorithm, kept: String, of length: Int) throws(TextHistoryError) {
        guard (1...Self.longestText).contains(length), kept.utf8.count == min(length, Self.longestKept),
            kept.utf8.allSatisfy(Self.isBase64)
        else { throw .badEntry }
        self.action = action
        self.algorithm = algorithm
        base64 = kept
        self.length = length
    }

    /// Reads an entry that came from another process, as if it had come from outside.
    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            try parts.decode(Action.self, forKey: .action),
            try parts.decode(Algorithm.self, forKey: .algorithm),
            kept: try parts.decode(String.self, forKey: .base64),
            of: try parts.decode(Int.self, forKey: .length)
        )
    }

    /// Only the beginning of the text is here.
    public var isCut: Bool { base64.utf8.count < length }

    /// The text as it is read again, or its beginning.
    public var text: String { "\(algorithm.word):\(base64)" }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }
}
