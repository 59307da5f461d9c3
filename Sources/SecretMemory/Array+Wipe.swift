internal import CSodium

extension Array where Element == UInt8 {
    /// Overwrites every byte with zero, in a way the compiler may not leave out (`sodium_memzero`).
    ///
    /// Only this array's storage is reached: bytes that another array shares are left as they are, so wipe
    /// the one that owns them alone. The count stays.
    public mutating func wipe() {
        unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites every byte with zero, in a way the compiler may not leave out (`sodium_memzero`).
    ///
    /// For memory that another library handed out and that a secret passed through.
    public func wipe() {
        unsafe sodium_memzero(baseAddress, count)
    }
}

/// The part of the stack that a call which has returned was in.
public enum CalledStack {
    /// Bytes that are overwritten: more than the frames of a call into a cipher of another library take.
    private static let size = 16 << 10

    /// Overwrites what called functions left on the stack below the caller (`sodium_stackzero`).
    ///
    /// For libraries that keep a key schedule in a local variable and do not wipe it. It does what can be done: what the
    /// compiler keeps in registers or in the caller's own frame stays.
    public static func wipe() {
        sodium_stackzero(size)
    }
}
