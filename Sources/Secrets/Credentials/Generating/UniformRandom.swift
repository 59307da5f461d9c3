internal import VaultCrypto

/// Uniform random numbers from an `Entropy`: every number below a bound is equally likely.
///
/// 32 random bits are taken at a time; the first 2³² mod `bound` of their values are drawn again, because
/// they would make the small numbers likelier (the remainder of a division alone is biased). The random
/// bytes lie in locked memory, since they are the secret that is made of them.
struct UniformRandom: ~Copyable {
    private static let block = 256

    private let entropy: Entropy
    private var bytes: SecretBytes
    private var place = 0

    init(_ entropy: Entropy) throws(CryptoError) {
        self.entropy = entropy
        bytes = try entropy.secret(Self.block)
    }

    /// A number from 0 on that is less than `bound`, which is at least 1.
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
