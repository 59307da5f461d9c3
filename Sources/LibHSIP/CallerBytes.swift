internal import CHSIP
internal import Glibc
internal import VaultCrypto

/// Bytes in the caller's memory, which are not copied.
///
/// They are valid during the call that passed them; this value does not outlive that call.
@safe struct BorrowedBytes: ByteSource, ~Copyable {
    private let memory: UnsafeRawBufferPointer

    /// Refers to `count` bytes; nil for NULL with a length.
    ///
    /// A `size_t` in its upper half arrives as a negative number. It becomes the largest length, so that a reader that limits
    /// the length refuses it. Check the length before you read the bytes.
    init?(_ start: UnsafeRawPointer?, _ count: Int) {
        guard unsafe start != nil || count == 0 else { return nil }
        unsafe memory = UnsafeRawBufferPointer(start: start, count: count < 0 ? .max : count)
    }

    /// Refers to a text that ends with a zero byte, without that byte; nil for NULL.
    init?(text: UnsafePointer<CChar>?) {
        guard let text = unsafe text else { return nil }
        unsafe memory = UnsafeRawBufferPointer(start: text, count: strlen(text))
    }

    var count: Int { unsafe memory.count }

    borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try body(unsafe memory.bytes)
    }
}

/// Reads names that arrive as C strings.
enum CText {
    /// The longest name of a contact or secret that is read.
    static let longestName = 255

    /// A name that is required.
    ///
    /// - Throws: `usage` for NULL; `malformed` if the name is too long or not UTF-8.
    static func name(_ text: UnsafePointer<CChar>?) throws(LibraryError) -> String {
        guard let name = try unsafe optional(text) else { throw .usage }
        return name
    }

    /// A name; nil for NULL.
    static func optional(
        _ text: UnsafePointer<CChar>?,
        longest: Int = longestName
    ) throws(LibraryError) -> String? {
        guard let text = unsafe text else { return nil }
        let count = unsafe strnlen(text, longest + 1)
        guard count <= longest,
            let name = unsafe String(
                validating: UnsafeRawBufferPointer(start: text, count: count),
                as: UTF8.self
            )
        else { throw .malformed }
        return name
    }
}

/// Results in an `hsip_bytes`, which are handed over to the caller, and wiped when the caller frees them.
enum OutputBytes {
    /// Sets the result to {NULL, 0}, before the call does anything.
    static func clear(_ target: UnsafeMutablePointer<hsip_bytes>?) {
        guard let target = unsafe target else { return }
        unsafe target.pointee = hsip_bytes(data: nil, size: 0)
    }

    /// Hands over a copy of the bytes.
    ///
    /// - Throws: `CryptoError.outOfMemory`; the result is unchanged then.
    static func give(
        _ bytes: borrowing some ByteSource & ~Copyable,
        to target: UnsafeMutablePointer<hsip_bytes>?
    ) throws(CryptoError) {
        guard let target = unsafe target else { return }
        unsafe target.pointee = hsip_bytes(data: try CallerMemory.copy(bytes), size: bytes.count)
    }

    /// Wipes and frees a result.
    static func take(back target: UnsafeMutablePointer<hsip_bytes>) {
        guard let data = unsafe target.pointee.data else { return }
        unsafe CallerMemory.take(back: data)
        unsafe clear(target)
    }
}
