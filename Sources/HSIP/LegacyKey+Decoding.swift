internal import VaultCrypto

/// Reading a key without a copy outside of locked memory.
extension LegacyKey {
    /// What one old program stores instead of a key.
    static let placeholder = Array("TEMP_SESSION_KEY_BASE64".utf8)

    static func isPlaceholder(_ text: RawSpan, _ start: Int) -> Bool {
        placeholder.indices.allSatisfy { text.byte(at: start + $0) == placeholder[$0] }
    }

    /// The range without ASCII white space at the ends.
    static func trimmed(_ text: RawSpan) -> Range<Int> {
        var (start, end) = (0, text.byteCount)
        while start < end, isBlank(text.byte(at: start)) { start += 1 }
        while end > start, isBlank(text.byte(at: end - 1)) { end -= 1 }
        return start..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// 64 digits in either case.
    static func decodeHex(_ text: RawSpan, from start: Int, into out: inout MutableRawSpan)
        throws(CryptoError)
    {
        for offset in 0..<size {
            guard let high = hexValue(text.byte(at: start + offset * 2)),
                let low = hexValue(text.byte(at: start + offset * 2 + 1))
            else { throw .malformedText }
            out.storeBytes(of: high << 4 | low, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// 43 characters and one `=`; the two bits left over must be zero.
    static func decodeBase64(_ text: RawSpan, from start: Int, into out: inout MutableRawSpan)
        throws(CryptoError)
    {
        var bits: UInt32 = 0
        var held = 0
        var written = 0
        for offset in 0..<43 {
            guard let value = base64Value(text.byte(at: start + offset)) else { throw .malformedText }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            held += 6
            if held >= 8 {
                held -= 8
                out.storeBytes(
                    of: UInt8(truncatingIfNeeded: bits >> UInt32(held)),
                    toByteOffset: written,
                    as: UInt8.self
                )
                written += 1
            }
        }
        guard bits & 3 == 0, text.byte(at: start + 43) == 0x3D else { throw .malformedText }
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    private static func base64Value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case 0x30...0x39: digit - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
