/// Hexadecimal text of bytes that are not secret.
public enum Hex {
    /// Encodes bytes as lower-case digits, two a byte.
    public static func encode(_ bytes: [UInt8]) -> String {
        var out = [UInt8](repeating: 0, count: bytes.count * 2)
        write(bytes, in: &out, at: 0)
        return String(decoding: out, as: UTF8.self)
    }

    /// Writes the digits over a part of a text, which must be long enough.
    package static func write(_ bytes: [UInt8], in text: inout [UInt8], at offset: Int) {
        for (index, byte) in bytes.enumerated() {
            text[offset + 2 * index] = digit(byte >> 4)
            text[offset + 2 * index + 1] = digit(byte & 15)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }

    /// Decodes an even number of digits in either case; nil for anything else.
    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// Decodes digits in a byte array, as `decode` of a String does.
    package static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(digits.count / 2)
        for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            out.append(high << 4 | low)
        }
        return out
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
