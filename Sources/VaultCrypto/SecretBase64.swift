internal import CSodium

/// Base64 of secrets in locked memory, without tables or branches on content (libsodium).
///
/// The text is canonical as in `StrictBase64`, which is faster and serves bytes that are not secret.
public enum SecretBase64 {
    /// Encodes a secret as ASCII, in locked memory.
    ///
    /// - Throws: `CryptoError.outOfMemory`.
    public static func encode(
        _ bytes: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        let count = encodedCount(bytes.count)
        // libsodium ends the text with a zero byte.
        var text = try SecretBytes(count: count + 1)
        unsafe bytes.withPointer { source, size in
            unsafe text.withMutablePointer { target, room in
                _ = unsafe target.withMemoryRebound(to: CChar.self, capacity: room) { target in
                    unsafe sodium_bin2base64(target, room, source, size, variant)
                }
            }
        }
        return try text.slice(0..<count)
    }

    /// Decodes a text; nil unless `encode` would write exactly this text.
    ///
    /// - Throws: `CryptoError.outOfMemory`.
    public static func decode(_ text: RawSpan) throws(CryptoError) -> SecretBytes? {
        try Sodium.ready()
        guard text.byteCount.isMultiple(of: 4) else { return nil }
        var bytes = try SecretBytes(count: text.byteCount / 4 * 3)
        guard text.byteCount > 0 else { return bytes }
        var count = 0
        let isRead = unsafe text.withUnsafeBytes { source in
            // libsodium accepts some bytes above 0x7F as letters.
            guard unsafe source.reduce(0, |) < 0x80 else { return false }
            return unsafe bytes.withMutablePointer { target, room in
                let letters = unsafe source.baseAddress?.assumingMemoryBound(to: CChar.self)
                return unsafe sodium_base642bin(
                    target,
                    room,
                    letters,
                    source.count,
                    nil,
                    &count,
                    nil,
                    variant
                ) == 0
            }
        }
        guard isRead else { return nil }
        return count == bytes.count ? bytes : try bytes.slice(0..<count)
    }

    /// The length of the text of `count` bytes.
    public static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    private static let variant = Int32(sodium_base64_VARIANT_ORIGINAL)
}

extension SecretBase64 {
    /// Decodes a wrapped text: spaces, tabs and line breaks anywhere in it are ignored.
    ///
    /// - Throws: `CryptoError.malformedText` for other characters, missing or superfluous padding, and unused bits that are
    ///   not zero; `outOfMemory`.
    public static func decode(
        wrapped text: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        // libsodium accepts bytes above 0x7F as letters, and skips zeros, at which others end a C string.
        let isText = text.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe $0.allSatisfy { $0 > 0 && $0 < 0x80 } }
        }
        guard isText else { throw .malformedText }
        var count = 0
        var bytes = try SecretBytes(count: text.count / 4 * 3 + 3)
        let status = unsafe bytes.withMutablePointer { target, size in
            unsafe text.withPointer { source, length in
                unsafe source.withMemoryRebound(to: CChar.self, capacity: length) { source in
                    unsafe sodium_base642bin(
                        target,
                        size,
                        source,
                        length,
                        " \t\r\n",
                        &count,
                        nil,
                        sodium_base64_VARIANT_ORIGINAL
                    )
                }
            }
        }
        guard status == 0 else { throw .malformedText }
        return try bytes.slice(0..<count)
    }
}
