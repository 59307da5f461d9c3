internal import Glibc
internal import VaultCrypto

/// Bytes of the caller's, read where they are.
///
/// They are valid for the time of the call that brought them, and this value lives no longer.
@safe struct BorrowedBytes: ByteSource, ~Copyable {
    private let memory: UnsafeRawBufferPointer

    /// So many bytes; nil for none where there should be some.
    ///
    /// A `size_t` in its upper half arrives as a negative number: it counts as the largest there is, so that
    /// a reader that limits the length refuses it. The length has to be judged before the bytes are read.
    init?(_ start: UnsafeRawPointer?, _ count: Int) {
        guard unsafe start != nil || count == 0 else { return nil }
        unsafe memory = UnsafeRawBufferPointer(start: start, count: count < 0 ? .max : count)
    }

    /// A text that ends with a zero byte, without that byte; nil for NULL.
    init?(text: UnsafePointer<CChar>?) {
        guard let text = unsafe text else { return nil }
        unsafe memory = UnsafeRawBufferPointer(start: text, count: strlen(text))
    }

    var count: Int { unsafe memory.count }

    borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try body(unsafe memory.bytes)
    }
}
