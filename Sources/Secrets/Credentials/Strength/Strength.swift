internal import Glibc

/// How hard a secret is to guess, in bits, with its label.
public struct Strength: Equatable, Sendable {
    /// The four names of it.
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

    /// So many bits.
    public init(bits: Double) {
        self.bits = bits
    }

    /// `count` independent draws out of `choices` (length × log₂ of the pool).
    public init(draws count: Int, from choices: Int) {
        bits = choices > 1 ? Double(count) * log2(Double(choices)) : 0
    }

    /// Its name.
    public var label: Label {
        switch bits {
        case ..<40: .weak
        case ..<60: .moderate
        case ..<100: .strong
        default: .veryStrong
        }
    }

    /// `Strong, 77 bits`; bits rounded down.
    public var text: String { "\(label.rawValue), \(Int(bits)) bits" }
}
