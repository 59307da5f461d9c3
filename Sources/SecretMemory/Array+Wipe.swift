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
