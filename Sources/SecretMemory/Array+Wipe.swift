internal import CSodium

extension Array where Element == UInt8 {
    /// Overwrites every byte with zero, in a way the compiler may not leave out (`sodium_memzero`).
    ///
    /// Only this array's storage is wiped. Bytes that are shared with another array remain there, so wipe an array that is
    /// their only owner. The count stays.
    public mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites every byte with zero, in a way the compiler may not leave out (`sodium_memzero`).
    ///
    /// It serves memory that another library allocated and that a secret passed through.
    public func wipe() {
        unsafe sodium_memzero(baseAddress, count)
    }
}

/// The part of the stack that calls used and have left.
public enum CalledStack {
    /// The number of bytes that are overwritten: more than a call into a cipher of another library uses.
    private static let size = 16 << 10

    /// Overwrites the bytes that called functions left on the stack below the caller (`sodium_stackzero`).
    ///
    /// Some libraries keep a key schedule in a local variable and do not wipe it. Bytes in registers or in the caller's own
    /// frame are not reached.
    public static func wipe() {
        sodium_stackzero(size)
    }
}
