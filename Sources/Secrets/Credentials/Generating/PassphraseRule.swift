public import VaultCrypto

/// How a passphrase is made: so many words out of the 2,048 of `Words`, joined by hyphens.
public struct PassphraseRule: Equatable, Sendable {
    /// The fewest and the most words: 44 bits to 220.
    public static let counts = 4...20

    /// How many words it has.
    public let words: Int

    /// A rule; nil for a number that is none of `counts`.
    public init?(words: Int) {
        guard Self.counts.contains(words) else { return nil }
        self.words = words
    }

    /// 11 bits a word.
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
