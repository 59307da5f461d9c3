/// A set of item numbers.
package struct ItemSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// An empty set.
    package init() {}

    /// The number is in it.
    package func contains(_ number: UInt8) -> Bool {
        (number < 64 ? low >> number : high >> (number - 64)) & 1 == 1
    }

    /// Adds a number.
    package mutating func insert(_ number: UInt8) {
        if number < 64 { low |= 1 << number } else { high |= 1 << (number - 64) }
    }

    /// Takes the lowest number out; nil if the set is empty.
    package mutating func popFirst() -> UInt8? {
        if low != 0 {
            defer { low &= low - 1 }
            return UInt8(low.trailingZeroBitCount)
        }
        guard high != 0 else { return nil }
        defer { high &= high - 1 }
        return 64 + UInt8(high.trailingZeroBitCount)
    }
}
