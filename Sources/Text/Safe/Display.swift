package import VaultCrypto

/// Makes text from other people safe to print: names, notes, comments, messages.
///
/// All such text is printed through this type. Controls, direction changes and invisible characters become visible marks
/// (`␛`, `\x07`, `⟦U+202E⟧`). It serves terminals only: piped text and JSON are not changed by it.
package struct Display: Equatable, Sendable {
    /// The default width at which a name is cut.
    package static let nameColumns = 40

    /// True if only ASCII may be printed.
    package let isASCII: Bool

    package init(isUTF8: Bool) {
        isASCII = !isUTF8
    }

    /// A name in quotes: “…”, at most 40 columns between them, isolated from the direction around it.
    package func name(_ text: String, columns: Int = nameColumns) -> String {
        let inner = cut(pieces(text, isQuoted: true), to: columns)
        return isASCII ? "\"\(inner)\"" : "“\(isolated(inner))”"
    }

    /// A name without quotes, for the cell of a table.
    package func cell(_ text: String, columns: Int = nameColumns) -> String {
        let inner = cut(pieces(text, isQuoted: false), to: columns)
        return inner.utf8.allSatisfy { $0 < 0x80 } ? inner : isolated(inner)
    }

    /// A text on several lines, with marks but never cut.
    package func text(_ text: String) -> String {
        var out = ""
        walk(Array(text.utf8), hasLines: true) { scalar, mark in
            if let mark { out += mark } else if let scalar { out.unicodeScalars.append(scalar) }
        }
        return out
    }

    /// The text that a person has typed so far, on one line; a long text shows its end.
    package func typed(_ text: String, columns: Int) -> String {
        let pieces = pieces(text, isQuoted: false).map { $0 == "\\x0a" ? (isASCII ? " " : "⏎") : $0 }
        var room = columns
        var shown = Array(
            pieces.reversed().prefix {
                room -= TextWidth.of($0)
                return room >= 0
            }
        )
        if shown.count < pieces.count {
            _ = shown.popLast()
            shown.append(isASCII ? "<" : "…")
        }
        return shown.reversed().joined()
    }

    /// Removes the isolates around names from a text that was copied from the screen.
    package static func withoutIsolates(_ text: String) -> String {
        guard text.utf8.contains(0xE2) else { return text }
        var bare = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar != "\u{2068}" && scalar != "\u{2069}" {
            bare.append(scalar)
        }
        return String(bare)
    }

    /// Puts a text between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, so that it cannot reorder what follows.
    private func isolated(_ text: String) -> String {
        isASCII ? text : "\u{2068}\(text)\u{2069}"
    }

    private func pieces(_ text: String, isQuoted: Bool) -> [String] {
        var pieces: [String] = []
        var run = ""
        walk(Array(text.utf8), hasLines: false) { scalar, mark in
            var mark = mark
            if let scalar, mark == nil, Self.imitatesUs(scalar, isQuoted: isQuoted) {
                mark = PeerText.mark(scalar, isASCII: isASCII)
            }
            if let mark {
                pieces += run.map { String($0) }
                run = ""
                pieces.append(mark)
            } else if let scalar {
                run.unicodeScalars.append(scalar)
            }
        }
        return pieces + run.map { String($0) }
    }

    /// True for the quotes and brackets that this type itself sets around names and marks.
    private static func imitatesUs(_ scalar: Unicode.Scalar, isQuoted: Bool) -> Bool {
        switch scalar {
        case "⟦", "⟧": true
        case "“", "”", "\"": isQuoted
        default: false
        }
    }

    /// Keeps whole pieces up to the width; an ellipsis replaces the rest.
    private func cut(_ pieces: [String], to columns: Int) -> String {
        let ellipsis = isASCII ? "..." : "…"
        let widths = pieces.map { TextWidth.of($0) }
        guard widths.reduce(0, +) > columns else { return pieces.joined() }
        var room = columns - TextWidth.of(ellipsis)
        var out = ""
        for (piece, width) in zip(pieces, widths) {
            room -= width
            guard room >= 0 else { break }
            out += piece
        }
        return out + ellipsis
    }

    /// Passes each scalar of UTF-8 bytes, or its mark, to `show`; a damaged byte becomes a mark.
    package func walk(
        _ bytes: borrowing some ByteSource & ~Copyable,
        hasLines: Bool,
        _ show: (_ scalar: Unicode.Scalar?, _ mark: String?) -> Void
    ) {
        bytes.withBytes { span in
            var judge = PeerText(hasLines: hasLines, isASCII: isASCII)
            var offset = 0
            while offset < span.byteCount {
                let (scalar, length) = UTF8Reader.scalar(in: span, at: offset)
                let next = offset + length
                if let scalar {
                    let after = next < span.byteCount ? UTF8Reader.scalar(in: span, at: next).scalar : nil
                    show(scalar, judge.mark(scalar, before: after))
                } else {
                    show(nil, PeerText.mark(byte: span.byte(at: offset)))
                }
                offset = next
            }
        }
    }
}
