/// Unicode white space at both ends of UTF-8 text.
enum TextTrim {
    /// The text without the White_Space characters at its ends.
    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while let length = (1...3).first(where: { isWhiteSpace(rest.prefix($0), $0) }) {
            rest = rest.dropFirst(length)
        }
        while let length = (1...3).first(where: { isWhiteSpace(rest.suffix($0), $0) }) {
            rest = rest.dropLast(length)
        }
        return rest
    }

    /// Whether these bytes are exactly one character of White_Space, `length` bytes long.
    private static func isWhiteSpace(_ bytes: ArraySlice<UInt8>, _ length: Int) -> Bool {
        guard bytes.count == length else { return false }
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch value {
        case 0x09...0x0D, 0x20: return length == 1
        // U+0085, U+00A0
        case 0xC285, 0xC2A0: return true
        // U+1680, U+2000 to 200A, 2028, 2029, 202F, 205F, 3000
        case 0xE19A80, 0xE28080...0xE2808A, 0xE280A8, 0xE280A9, 0xE280AF, 0xE2819F, 0xE38080: return true
        default: return false
        }
    }
}
