internal import CSodium

/// Comparison whose time does not reveal where two secrets differ.
public enum ConstantTime {
    /// True if two byte strings are equal (`sodium_memcmp`); strings of different lengths are not.
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

    /// True if the bytes of a span equal a byte string, in constant time too.
    public static func equal(_ first: RawSpan, _ second: borrowing some ByteSource & ~Copyable) -> Bool {
        guard Sodium.isReady, first.byteCount == second.count else { return false }
        return unsafe first.withUnsafeBytes { left in
            guard let left = left.baseAddress else { return true }
            return unsafe second.withPointer { right, count in unsafe sodium_memcmp(left, right, count) == 0 }
        }
    }
}
