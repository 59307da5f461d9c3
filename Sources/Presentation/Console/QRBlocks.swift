package import System

/// A QR code as text, several modules to a character, painted black on white by explicit colours.
///
/// The colours are part of the data, so `NO_COLOR` does not remove them: scanners do not read the inverted
/// picture that a dark theme would make.
package enum QRBlocks: Sendable {
    /// One module wide and two high: characters that every terminal has.
    case halves
    /// Two modules wide and three high (Unicode 13), for small windows of newer terminals.
    case sextants

    /// Light modules around the code: less than the four of the standard, enough for phones.
    package static let quietZone = 2

    private static let paint = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// The modules of a character.
    private var width: Int { self == .halves ? 1 : 2 }
    private var height: Int { self == .halves ? 2 : 3 }

    /// The columns and rows that the picture takes.
    package func size(of code: QRCode) -> WindowSize {
        let side = code.size + 2 * Self.quietZone
        return WindowSize(columns: (side + width - 1) / width, rows: (side + height - 1) / height)
    }

    /// Lines of text, each ending in a line feed and in the terminal's own colours.
    package func render(_ code: QRCode) -> String {
        let size = size(of: code)
        var out = ""
        for row in 0..<size.rows {
            out += Self.paint
            for column in 0..<size.columns {
                var number = 0
                for place in 0..<width * height {
                    let x = column * width + place % width - Self.quietZone
                    let y = row * height + place / width - Self.quietZone
                    if code[x, y] { number |= 1 << place }
                }
                out.unicodeScalars.append(glyph(number))
            }
            out += Self.plain + "\n"
        }
        return out
    }

    /// Refuses a window in which the picture, with some lines around it, would be torn.
    package func check(
        _ code: QRCode,
        linesAround: Int = 3,
        in window: WindowSize
    ) throws(ConsoleError) {
        let picture = size(of: code)
        let needed = WindowSize(columns: picture.columns, rows: picture.rows + linesAround)
        guard window.holds(needed) else { throw .windowTooSmall(window: window, needed: needed) }
    }

    /// The character of some dark modules: bit by bit from the left, row by row.
    private func glyph(_ number: Int) -> Unicode.Scalar {
        if self == .halves { return [" ", "▀", "▄", "█"][number] }
        switch number {
        case 0: return " "
        case 0b010101: return "▌"
        case 0b101010: return "▐"
        case 0b111111: return "█"
        default:
            // The three above are older than the others, and left out among them.
            let gaps = (number > 0b010101 ? 1 : 0) + (number > 0b101010 ? 1 : 0)
            return Unicode.Scalar(UInt32(0x1FB00 + number - 1 - gaps)) ?? " "
        }
    }
}
