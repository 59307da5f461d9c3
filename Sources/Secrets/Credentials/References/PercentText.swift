internal import VaultCrypto

/// Bytes written as `%XX`, where they would mean something else (RFC 3986 section 2.1).
enum PercentText {
    /// The bytes behind a public text; nil for a `%` without two hexadecimal digits.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                out.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            out.append(high << 4 | low)
        }
        return out
    }

    /// Decodes a secret text, in locked memory.
    static func decode(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
        var out = try SecretBytes(count: text.count)
        var count = 0
        var isWhole = true
        out.withMutableBytes { out in
            text.withBytes { text in
                var place = 0
                while place < text.byteCount {
                    var byte = text.byte(at: place)
                    place += 1
                    if byte == 0x25 {
                        guard place + 1 < text.byteCount, let high = digit(text.byte(at: place)),
                            let low = digit(text.byte(at: place + 1))
                        else {
                            isWhole = false
                            return
                        }
                        byte = high << 4 | low
                        place += 2
                    }
                    out.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
                    count += 1
                }
            }
        }
        return isWhole ? try out.slice(0..<count) : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
