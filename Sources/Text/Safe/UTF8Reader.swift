package import VaultCrypto

/// Reads UTF-8 bytes that may be damaged, without making a String.
package enum UTF8Reader {
    /// The scalar at `offset` and its length in bytes; nil and length 1 if no scalar begins there.
    ///
    /// Overlong forms, surrogates and values above U+10FFFF are not scalars (RFC 3629 section 3).
    package static func scalar(in span: RawSpan, at offset: Int) -> (scalar: Unicode.Scalar?, length: Int) {
        let first = span.byte(at: offset)
        let (length, least): (Int, UInt32) =
            switch first {
            case 0x00...0x7F: (1, 0)
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x10000)
            default: (0, 0)
            }
        guard length > 0, offset + length <= span.byteCount else { return (nil, 1) }
        var value = length == 1 ? UInt32(first) : UInt32(first) & (0xFF >> (UInt32(length) + 1))
        for index in 1..<max(length, 1) {
            let next = span.byte(at: offset + index)
            guard next & 0xC0 == 0x80 else { return (nil, 1) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        guard value >= least, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
        return (scalar, length)
    }

    /// True if all bytes are UTF-8.
    package static func isValid(_ bytes: borrowing some ByteSource & ~Copyable) -> Bool {
        bytes.withBytes { span in
            var offset = 0
            while offset < span.byteCount {
                let (scalar, length) = scalar(in: span, at: offset)
                guard scalar != nil else { return false }
                offset += length
            }
            return true
        }
    }
}
