package import Secrets
internal import System
package import VaultCrypto

/// Generates passphrases, and checks those that a person chose.
package enum Passphrase {
    /// Seven words out of 2,048 are 77 bits.
    package static let words = 7
    /// The least number of characters of a chosen passphrase, unless `--weak` allows fewer.
    package static let minimum = 10
    /// The least strength in bits, as `ChosenPassword` estimates it for all secrets.
    package static let leastBits = 50.0

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

    /// Returns the strength of a generated passphrase.
    package static func strength(words count: Int = words) -> Strength {
        Strength(draws: count, from: Words.count)
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

    /// Refuses a chosen passphrase that is too short or too easy to guess.
    ///
    /// - Throws: `shortPassphrase`; `weakPassphrase` under 50 bits, which passes with `allowsWeak`.
    package static func checkTyped(
        _ secret: borrowing some ByteSource & ~Copyable,
        allowsWeak: Bool
    ) throws(ConsoleError) {
        try check(secret, allowsWeak: allowsWeak)
        let bits = ChosenPassword.strength(of: secret).bits
        guard allowsWeak || bits >= leastBits else {
            throw .weakPassphrase(bits: Int(bits), needed: Int(leastBits))
        }
    }

    /// The number of Unicode scalars: of all bytes that do not continue a scalar.
    private static func characters(of span: RawSpan) -> Int {
        (0..<span.byteCount).count { span.byte(at: $0) & 0xC0 != 0x80 }
    }
}
