extension ByteSource where Self: ~Copyable {
    /// Refuses every length but `expected`; C is never called with another.
    @inline(__always)
    borrowing func require(_ expected: Int) throws(CryptoError) {
        guard count == expected else { throw .wrongSize(expected: expected, found: count) }
    }
}

extension ClosedRange<Int> {
    /// Refuses a size outside the range, and names the bound that it missed.
    @inline(__always)
    func require(_ count: Int) throws(CryptoError) {
        guard !contains(count) else { return }
        throw .wrongSize(expected: count < lowerBound ? lowerBound : upperBound, found: count)
    }
}
