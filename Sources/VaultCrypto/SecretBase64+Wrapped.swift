internal import CSodium

extension SecretBase64 {
    /// The secret behind a text that is wrapped: spaces, tabs and line breaks anywhere in it are passed over.
    ///
    /// - Throws: `CryptoError.malformedText` for other characters, missing or superfluous padding, and bits beyond
    ///   the end that are not zero; `outOfMemory`.
    public static func decode(
        wrapped text: borrowing some ByteSource & ~Copyable
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        // libsodium takes bytes above 0x7F for letters, and passes over zeros, where the C string of others ends.
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
