internal import CSodium

/// Comparison whose time does not tell where two secrets differ.
public enum ConstantTime {
    /// Whether two byte strings are equal (`sodium_memcmp`); different lengths are simply unequal.
    ///
    /// The lengths themselves are not hidden.
    public static func equal(
        _ first: borrowing some ByteSource & ~Copyable,
        _ second: borrowing some ByteSource & ~Copyable
    ) -> Bool {
        guard Sodium.isReady, first.count == second.count else { return false }
        return unsafe first.withPointer { left, count in
            unsafe second.withPointer { right, _ in unsafe sodium_memcmp(left, right, count) == 0 }
        }
    }

    /// Whether the bytes of a span are equal to a byte string, as above.
    public static func equal(_ first: RawSpan, _ second: borrowing some ByteSource & ~Copyable) -> Bool {
        guard Sodium.isReady, first.byteCount == second.count else { return false }
        return unsafe first.withUnsafeBytes { left in
            guard let left = left.baseAddress else { return true }
            return unsafe second.withPointer { right, count in unsafe sodium_memcmp(left, right, count) == 0 }
        }
    }
}
