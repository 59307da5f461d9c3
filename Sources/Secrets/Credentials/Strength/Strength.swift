internal import Glibc
internal import VaultCrypto

/// The strength of a secret against guessing, in bits, with its label.
public struct Strength: Equatable, Sendable {
    /// The label of a strength.
    public enum Label: String, Sendable {
        /// Under 40 bits.
        case weak = "Weak"
        /// Under 60 bits.
        case moderate = "Moderate"
        /// Under 100 bits.
        case strong = "Strong"
        /// 100 bits and more.
        case veryStrong = "Very Strong"
    }

    /// log₂ of the number of equally likely secrets.
    public let bits: Double

    /// Makes a strength from a number of bits.
    public init(bits: Double) {
        self.bits = bits
    }

    /// Makes the strength of `count` independent draws out of `choices` (length × log₂ of the pool).
    public init(draws count: Int, from choices: Int) {
        bits = choices > 1 ? Double(count) * log2(Double(choices)) : 0
    }

    /// The label for the number of bits.
    public var label: Label {
        switch bits {
        case ..<40: .weak
        case ..<60: .moderate
        case ..<100: .strong
        default: .veryStrong
        }
    }

    /// The text, as in `Strong, 77 bits`; bits are rounded down.
    public var text: String { "\(label.rawValue), \(Int(bits)) bits" }
}

/// Guesses for characters in alphabetical or numerical order, up, down or repeated: `abcd`, `9876`, `0000`.
enum SequenceGuess {
    private static let shortest = 3
    private static let beginnings = Array("aAzZ019".utf8)

    static func all(in text: borrowing RawSpan, from start: Int, to end: Int) -> [Guess] {
        guard end - start >= shortest, let kind = kind(text.byte(at: start)) else { return [] }
        let first = text.byte(at: start)
        let step = Int(text.byte(at: start + 1)) - Int(first)
        guard (-1...1).contains(step) else { return [] }
        var found: [Guess] = []
        let choices = beginnings.contains(first) ? 4.0 : kind == .digits ? 10 : 26
        let beginning = log2(choices)
        for place in start + 1..<end {
            let byte = text.byte(at: place)
            guard Self.kind(byte) == kind, Int(byte) - Int(text.byte(at: place - 1)) == step else { break }
            let length = place - start + 1
            guard length >= shortest else { continue }
            found.append(
                Guess(length: length, bits: beginning + log2(Double(length)) + (step == 1 ? 0 : 1))
            )
        }
        return found
    }

    private enum Kind { case digits, lower, upper }

    private static func kind(_ byte: UInt8) -> Kind? {
        switch byte {
        case 0x30...0x39: .digits
        case 0x61...0x7A: .lower
        case 0x41...0x5A: .upper
        default: nil
        }
    }
}
