package import Credentials
internal import Programs
package import VaultCrypto

/// Passphrases: made here out of words, or judged when a person brings one.
package enum Passphrase {
    /// Seven words out of 2,048 are 77 bits.
    package static let words = 7
    /// A person's own passphrase has at least this many characters, unless `--weak` says otherwise.
    package static let minimum = 10

    /// Draws words, joined by hyphens, into locked memory: `brisk-otter-lamp-…`.
    ///
    /// Each draw is 11 random bits, so every word is equally likely.
    package static func make(
        words count: Int = words,
        using generator: inout some RandomNumberGenerator
    ) throws(ConsoleError) -> SecretBytes {
        var out = try SecretBuffer(limit: max(0, count) * (Words.longest + 1))
        for index in 0..<max(0, count) {
            if index > 0 { try out.append(0x2D) }
            let draw = Int(truncatingIfNeeded: generator.next() as UInt64) & (Words.count - 1)
            for byte in Words.word(draw) { try out.append(byte) }
        }
        return try out.finish()
    }

    /// The strength of a made passphrase.
    package static func strength(words count: Int = words) -> Strength {
        Strength(draws: count, from: Words.count)
    }

    /// An upper bound for a passphrase that a person thought up: its length and the kinds of characters in
    /// it.
    ///
    /// Real ones are weaker, because people do not draw lots.
    package static func strength(of secret: borrowing some ByteSource & ~Copyable) -> Strength {
        secret.withBytes { span in
            var pools: [Int: Int] = [:]
            for index in 0..<span.byteCount {
                let (pool, size) = pool(of: span.byte(at: index))
                pools[pool] = size
            }
            return Strength(draws: characters(of: span), from: pools.values.reduce(0, +))
        }
    }

    /// Refuses a new passphrase that is too short.
    ///
    /// - Throws: `shortPassphrase` under 10 characters; any length but zero passes with `allowsWeak`.
    package static func check(
        _ secret: borrowing some ByteSource & ~Copyable,
        allowsWeak: Bool
    ) throws(ConsoleError) {
        let count = secret.withBytes { characters(of: $0) }
        let least = allowsWeak ? 1 : minimum
        guard count >= least else { throw .shortPassphrase(minimum: least) }
    }

    /// UTF-8 scalars: every byte that does not continue one.
    private static func characters(of span: RawSpan) -> Int {
        (0..<span.byteCount).count { span.byte(at: $0) & 0xC0 != 0x80 }
    }

    /// The kind of a character and how many there are of that kind.
    private static func pool(of byte: UInt8) -> (kind: Int, size: Int) {
        switch byte {
        case 0x30...0x39: (0, 10)
        case 0x41...0x5A: (1, 26)
        case 0x61...0x7A: (2, 26)
        case 0x80...: (3, 100)
        default: (4, 33)
        }
    }
}
