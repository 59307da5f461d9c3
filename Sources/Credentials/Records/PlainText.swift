/// Words that people give things: one line that looks like what it is.
enum PlainText {
    /// 1 to `longest` bytes, no blank at either end, and nothing that breaks a line or turns the writing around.
    static func isLine(_ text: String, longest: Int) -> Bool {
        guard (1...longest).contains(text.utf8.count), let first = text.unicodeScalars.first,
            let last = text.unicodeScalars.last
        else { return false }
        return !first.properties.isWhitespace && !last.properties.isWhitespace
            && text.unicodeScalars.allSatisfy { !isForbidden($0) }
    }

    /// Controls, marks of direction, line and paragraph separators, and the byte order mark.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069,
            0xFEFF:
            true
        default: false
        }
    }
}
