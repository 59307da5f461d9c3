public import VaultCrypto

/// A recipe for passwords: length and kinds of characters; each kind occurs at least once.
public struct PasswordRule: Equatable, Sendable {
    /// The shortest and the longest password.
    public static let lengths = 6...64
    /// The default length.
    public static let usualLength = 16

    /// The number of characters.
    public let length: Int
    /// The kinds of characters, in the order of the cases.
    public let kinds: [CharacterKind]

    /// Makes a rule; nil for a length outside `lengths`, or without any kind of characters.
    public init?(length: Int = usualLength, kinds: Set<CharacterKind> = Set(CharacterKind.allCases)) {
        guard Self.lengths.contains(length), !kinds.isEmpty else { return nil }
        self.length = length
        self.kinds = CharacterKind.allCases.filter { kinds.contains($0) }
    }

    /// The strength in bits: length × log₂ of the pool.
    ///
    /// Requiring every kind costs a little: with all four kinds 1.8 bits of 38 at 6 characters, and 0.2 bits
    /// of 103 at 16.
    public var strength: Strength {
        Strength(draws: length, from: kinds.reduce(0) { $0 + $1.characters.count })
    }

    /// Makes a password, in locked memory.
    ///
    /// Each character is drawn from the whole pool. A password without one of the kinds is discarded and
    /// drawn again, so all valid passwords are equally likely; inserting the missing character would make
    /// some likelier than others. Of 6 characters and four kinds two in seven are kept.
    ///
    /// - Throws: `CryptoError.outOfMemory`.
    public func make(_ entropy: Entropy = .system) throws(CryptoError) -> SecretBytes {
        let pool = kinds.enumerated().flatMap { kind in
            kind.element.characters.map { (character: $0, kind: 1 << kind.offset) }
        }
        let all = (1 << kinds.count) - 1
        var random = try UniformRandom(entropy)
        var password = try SecretBytes(count: length)
        var seen = 0
        while seen != all {
            seen = 0
            for place in 0..<length {
                let drawn = pool[try random.next(below: pool.count)]
                seen |= drawn.kind
                password.withMutableBytes {
                    $0.storeBytes(of: drawn.character, toByteOffset: place, as: UInt8.self)
                }
            }
        }
        return password
    }
}

/// A set of characters for generated passwords.
public enum CharacterKind: String, CaseIterable, Codable, Sendable {
    /// A to Z.
    case upper
    /// a to z.
    case lower
    /// 0 to 9.
    case digit
    /// 26 signs of ASCII, without the quotation marks, the slashes and the tilde, which programs misread most.
    case symbol

    /// The characters of the kind, each once.
    public var characters: [UInt8] {
        switch self {
        case .upper: Array(0x41...0x5A)
        case .lower: Array(0x61...0x7A)
        case .digit: Array(0x30...0x39)
        case .symbol: Array("!@#$%^&*()_+-=[]{}|;:,.<>?".utf8)
        }
    }
}

/// A recipe for passphrases: a number of words out of the 2,048 of `Words`, joined by hyphens.
public struct PassphraseRule: Equatable, Sendable {
    /// The fewest and the most words: 44 bits to 220.
    public static let counts = 4...20

    /// The number of words.
    public let words: Int

    /// Makes a rule; nil for a number outside `counts`.
    public init?(words: Int) {
        guard Self.counts.contains(words) else { return nil }
        self.words = words
    }

    /// The strength: 11 bits a word.
    public var strength: Strength { Strength(draws: words, from: Words.count) }

    /// Makes a passphrase, in locked memory: `brisk-otter-lamp-fjord`.
    ///
    /// - Throws: `CryptoError.outOfMemory`.
    public func make(_ entropy: Entropy = .system) throws(CryptoError) -> SecretBytes {
        var random = try UniformRandom(entropy)
        var text = try SecretBytes(count: words * (Words.longest + 1))
        var end = 0
        for index in 0..<words {
            let word = Words.word(try random.next(below: Words.count))
            for byte in (index > 0 ? [0x2D] : []) + Array(word) {
                text.withMutableBytes { $0.storeBytes(of: byte, toByteOffset: end, as: UInt8.self) }
                end += 1
            }
        }
        return try text.slice(0..<end)
    }
}

/// Uniform random numbers from an `Entropy`: every number below a bound is equally likely.
///
/// Each draw uses 32 random bits; the first 2³² mod `bound` of their values are drawn again, because they
/// would make small numbers likelier (the remainder of a division alone is biased). The random bytes are in
/// locked memory, because the secret is made from them.
struct UniformRandom: ~Copyable {
    private static let block = 256

    private let entropy: Entropy
    private var bytes: SecretBytes
    private var place = 0

    init(_ entropy: Entropy) throws(CryptoError) {
        self.entropy = entropy
        bytes = try entropy.secret(Self.block)
    }

    /// A number from 0 to `bound` - 1; `bound` is at least 1.
    mutating func next(below bound: Int) throws(CryptoError) -> Int {
        let bound = UInt32(clamping: max(bound, 1))
        let unfair = (0 &- bound) % bound
        while true {
            let draw = try word()
            if draw >= unfair { return Int(draw % bound) }
        }
    }

    private mutating func word() throws(CryptoError) -> UInt32 {
        if place == Self.block {
            bytes = try entropy.secret(Self.block)
            place = 0
        }
        defer { place += 4 }
        let start = place
        return bytes.withBytes { span in
            (0..<4).reduce(0) { $0 | UInt32(span.byte(at: start + $1)) << UInt32(8 * $1) }
        }
    }
}
