internal import CSodium

extension UnsafeMutableRawBufferPointer {
    /// Overwrites every byte with zero, in a way the compiler may not leave out (`sodium_memzero`).
    ///
    /// For memory that another library handed out and that a secret passed through.
    public func wipe() {
        unsafe sodium_memzero(baseAddress, count)
    }
}
