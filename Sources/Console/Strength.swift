internal import Glibc

/// How hard a secret is to guess, in bits, with its label.
package struct Strength: Equatable, Sendable {
    package enum Label: String, Sendable {
        /// Under 40 bits.
        case weak = "Weak"
        /// Under 60 bits.
        case moderate = "Moderate"
        /// Under 100 bits.
        case strong = "Strong"
        case veryStrong = "Very Strong"
    }

    /// log₂ of the number of equally likely secrets.
    package let bits: Double

    package init(bits: Double) {
        self.bits = bits
    }

    /// `count` independent draws out of `choices` (length × log₂ of the pool).
    package init(draws count: Int, from choices: Int) {
        bits = choices > 1 ? Double(count) * log2(Double(choices)) : 0
    }

    package var label: Label {
        switch bits {
        case ..<40: .weak
        case ..<60: .moderate
        case ..<100: .strong
        default: .veryStrong
        }
    }

    /// `Strong, 77 bits`; bits rounded down.
    package var text: String { "\(label.rawValue), \(Int(bits)) bits" }
}
