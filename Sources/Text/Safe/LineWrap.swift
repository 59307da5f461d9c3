/// Breaks a text between its words, where a terminal would break it anywhere.
///
/// A command that is to be typed stays in one piece, so that it can be copied: from the word `hsip` to the end of its
/// phrase, which is a mark like a comma or two spaces. A piece that is wider than the window is left to the terminal.
package enum LineWrap {
    /// The lines of a text for so many columns; all but the first of each paragraph begin with `indent` more spaces.
    ///
    /// `keepsCommands` is false for prose that only speaks of commands.
    package static func lines(
        _ text: String,
        to width: Int,
        indent: Int = 0,
        keepsCommands: Bool = true
    ) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            paragraph(String($0), to: width, indent: indent, keepsCommands)
        }
    }

    /// The widest piece of a text, which no line can be narrower than.
    package static func widestPiece(of text: String) -> Int {
        pieces(of: text, true).map { width(of: $0.text) }.max() ?? 0
    }

    /// The columns of a text without the colours in it.
    package static func width(of text: String) -> Int {
        guard text.utf8.contains(0x1B) else { return TextWidth.of(text) }
        var bare = ""
        var isColor = false
        for character in text {
            if character == "\u{1B}" { isColor = true }
            if !isColor { bare.append(character) }
            if character == "m" { isColor = false }
        }
        return TextWidth.of(bare)
    }

    /// Spaces, and what stands after them.
    private struct Piece {
        let gap: Int
        var text: String
    }

    private static func paragraph(
        _ text: String,
        to width: Int,
        indent: Int,
        _ keepsCommands: Bool
    ) -> [String] {
        guard Self.width(of: text) > width else { return [text] }
        let pieces = pieces(of: text, keepsCommands)
        let margin = String(repeating: " ", count: (pieces.first?.gap ?? 0) + indent)
        var lines: [String] = []
        var line = ""
        var room = width
        for (index, piece) in pieces.enumerated() {
            let needed = Self.width(of: piece.text)
            if index > 0, piece.gap + needed > room {
                lines.append(line)
                line = margin + piece.text
                room = width - margin.count - needed
            } else {
                line += String(repeating: " ", count: piece.gap) + piece.text
                room -= piece.gap + needed
            }
        }
        return lines + [line]
    }

    private static func pieces(of text: String, _ keepsCommands: Bool) -> [Piece] {
        var pieces: [Piece] = []
        var gap = 0
        var isCommand = false
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            if part.isEmpty {
                gap += 1
                continue
            }
            let space = pieces.isEmpty ? gap : gap + 1
            gap = 0
            if isCommand, space == 1, let last = pieces.popLast() {
                pieces.append(Piece(gap: last.gap, text: last.text + " " + part))
            } else {
                pieces.append(Piece(gap: space, text: String(part)))
                isCommand = keepsCommands && part.drop { "([→".contains($0) } == "hsip"
            }
            if isCommand, let whole = pieces.last?.text { isCommand = !endsPhrase(whole) }
        }
        return pieces
    }

    /// A mark outside quotes.
    private static func endsPhrase(_ text: String) -> Bool {
        guard text.count(where: { $0 == "'" }).isMultiple(of: 2), let last = text.last else { return false }
        return ",;:.?)]".contains(last)
    }
}
