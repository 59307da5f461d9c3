/// Breaks a text between words, before a terminal breaks it inside one.
///
/// A command to type stays in one piece, so that it can be copied. It begins with the word `hsip` and ends with its phrase,
/// at a mark like a comma or at two spaces. A piece that is wider than the window is left to the terminal.
package enum LineWrap {
    /// Breaks a text into lines of `width` columns; all but the first of each paragraph begin with `indent` more spaces.
    ///
    /// `keepsCommands` is false for prose that only mentions commands.
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

    /// The width of the widest piece of a text, which is the least width of its lines.
    package static func widestPiece(of text: String) -> Int {
        pieces(of: text, true).map { width(of: $0.text) }.max() ?? 0
    }

    /// The columns of a text, without its colour sequences.
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

    /// A word or a command, and the number of spaces before it.
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

    /// True if the text ends with a mark outside quotes.
    private static func endsPhrase(_ text: String) -> Bool {
        guard text.count(where: { $0 == "'" }).isMultiple(of: 2), let last = text.last else { return false }
        return ",;:.?)]".contains(last)
    }
}
