/// The number of columns of a text in a terminal.
///
/// The tables are our own, because the C library's `wcwidth` follows the locale and knows no emoji sequences. Source:
/// UAX #11 (East Asian Width W and F, without the emoji, which Unicode's own property names).
package enum TextWidth {
    /// The columns of a whole text.
    package static func of(_ text: String) -> Int {
        var sum = 0
        for character in text {
            sum += of(character)
        }
        return sum
    }

    /// The columns of one character as people see it, which may have several scalars: 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // U+FE0F selects the coloured, double-width form of the emoji before it.
            width = scalar == "\u{FE0F}" ? 2 : max(width, of(scalar))
        }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20, scalar.value < 0x7F { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control:
            return 0
        default:
            return isWide(scalar) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FB, 0x20000...0x3134A,
    ]
}

/// Cuts a text in its middle: the beginning and the end tell most names, paths and fingerprints apart.
package enum MiddleCut {
    /// Cuts a text to at most `columns` columns, by whole characters.
    package static func cut(_ text: String, to columns: Int, ellipsis: String) -> String {
        guard TextWidth.of(text) > columns else { return text }
        let characters = Array(text)
        let room = max(0, columns - TextWidth.of(ellipsis))
        let head = take(characters, (room + 1) / 2)
        let tail = take(characters.reversed(), room - TextWidth.of(String(head)))
        return close(String(head)) + ellipsis + close(String(tail.reversed()))
    }

    private static func take(_ characters: some Sequence<Character>, _ columns: Int) -> [Character] {
        var room = columns
        return characters.prefix {
            room -= TextWidth.of($0)
            return room >= 0
        }
    }

    /// Adds the partner of a direction isolate, if the cut removed it.
    private static func close(_ part: String) -> String {
        let opens = part.unicodeScalars.contains("\u{2068}")
        let closes = part.unicodeScalars.contains("\u{2069}")
        guard opens != closes else { return part }
        return opens ? part + "\u{2069}" : "\u{2068}" + part
    }
}
