internal import VaultCrypto

/// Base32 of keys (RFC 4648 section 6) as people copy it: either case, with spaces and hyphens, with or without
/// padding.
enum Base32 {
    /// The bytes of a text, in locked memory; nil for anything else than base32, and for bits left over that are
    /// not zero.
    static func decode(_ text: borrowing some ByteSource & ~Copyable) throws(CryptoError) -> SecretBytes? {
        var bytes = try SecretBytes(count: text.count * 5 / 8)
        var count = 0
        var isWhole = true
        bytes.withMutableBytes { out in
            text.withBytes { text in
                var bits: UInt32 = 0
                var held = 0
                var isPadding = false
                for place in 0..<text.byteCount {
                    let byte = text.byte(at: place)
                    if byte == 0x20 || byte == 0x2D { continue }
                    if byte == 0x3D {
                        isPadding = true
                        continue
                    }
                    guard !isPadding, let value = value(byte) else {
                        isWhole = false
                        return
                    }
                    bits = bits << 5 | value
                    held += 5
                    if held >= 8 {
                        held -= 8
                        out.storeBytes(of: UInt8(bits >> UInt32(held)), toByteOffset: count, as: UInt8.self)
                        bits &= (1 << UInt32(held)) - 1
                        count += 1
                    }
                }
                // 5 bits or more left over are a letter too many.
                isWhole = held < 5 && bits == 0
            }
        }
        guard isWhole, count > 0 else { return nil }
        return try bytes.slice(0..<count)
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61)
        case 0x32...0x37: UInt32(byte - 0x32) + 26
        default: nil
        }
    }
}
