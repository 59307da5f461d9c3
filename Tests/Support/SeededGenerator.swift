/// Random numbers that are the same on every run and machine: SplitMix64.
///
/// Not for keys. A failing property prints the seed, and the seed brings the failure back.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator that always gives the same numbers for the same seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// That many random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
    }

    /// A number in the range, each equally likely.
    public mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// True once in `count` times.
    public mutating func oneIn(_ count: Int) -> Bool {
        number(in: 1...max(count, 1)) == 1
    }

    /// One of the choices; nil if there are none.
    public mutating func pick<T>(_ choices: [T]) -> T? {
        choices.randomElement(using: &self)
    }
}
