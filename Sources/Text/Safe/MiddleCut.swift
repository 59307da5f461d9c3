/// Cuts a text in its middle: the beginning and the end tell most names, paths and fingerprints apart.
package enum MiddleCut {
    /// At most `columns` columns, by whole characters.
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

    /// A direction isolate that lost its partner to the cut is taken out.
    private static func close(_ part: String) -> String {
        let opens = part.unicodeScalars.contains("\u{2068}")
        let closes = part.unicodeScalars.contains("\u{2069}")
        guard opens != closes else { return part }
        return opens ? part + "\u{2069}" : "\u{2068}" + part
    }
}
