/// A set of pairing numbers (0...7), small enough for millions of states.
struct Numbers: Hashable, Sendable {
    private var bits: UInt8 = 0

    func contains(_ number: Int) -> Bool { bits >> number & 1 == 1 }

    mutating func insert(_ number: Int) { bits |= 1 << number }

    mutating func remove(_ number: Int) { bits &= ~(1 << number) }

    mutating func keep(only number: Int) { bits &= 1 << number }

    func isDisjoint(with other: Numbers) -> Bool { bits & other.bits == 0 }

    /// The numbers, lowest first.
    var all: [Int] { (0..<8).filter(contains) }
}
