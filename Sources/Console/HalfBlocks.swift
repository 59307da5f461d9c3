package import Programs

/// A QR code as text, two modules to a character, painted black on white by explicit colours.
///
/// The colours are part of the data, so `NO_COLOR` does not remove them: scanners do not read the inverted
/// picture that a dark theme would make.
package enum HalfBlocks {
    /// Light modules around the code: less than the four of the standard, enough for phones.
    package static let quietZone = 2

    private static let paint = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// The columns and rows that the picture takes.
    package static func size(of code: QRCode) -> WindowSize {
        let side = code.size + 2 * quietZone
        return WindowSize(columns: side, rows: (side + 1) / 2)
    }

    /// Lines of text, each ending in a line feed and in the terminal's own colours.
    package static func render(_ code: QRCode) -> String {
        let (columns, rows) = (size(of: code).columns, size(of: code).rows)
        var out = ""
        for row in 0..<rows {
            out += paint
            for column in 0..<columns {
                let upper = code[column - quietZone, 2 * row - quietZone]
                let lower = code[column - quietZone, 2 * row + 1 - quietZone]
                out += glyph(upper, lower)
            }
            out += plain + "\n"
        }
        return out
    }

    /// Refuses a window in which the picture, with some lines around it, would be torn.
    package static func check(
        _ code: QRCode,
        linesAround: Int = 3,
        in window: WindowSize
    ) throws(ConsoleError) {
        let picture = size(of: code)
        let needed = WindowSize(columns: picture.columns, rows: picture.rows + linesAround)
        guard window.holds(needed) else { throw .windowTooSmall(window: window, needed: needed) }
    }

    private static func glyph(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
