package import System

/// A QR code as text with several modules in a character, black on white in explicit colours.
///
/// The colours are part of the data, so `NO_COLOR` does not remove them: scanners do not read the inverted picture of
/// a dark theme.
/// picture that a dark theme would make.
package enum QRBlocks: Sendable {
    /// Blocks of one module by two: characters of every terminal.
    case halves
    /// Blocks of two modules by three (Unicode 13), for small windows of newer terminals.
    case sextants

    /// The light modules around the code: fewer than the four of the standard, but enough for phones.
    package static let quietZone = 2

    private static let paint = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// The width of a character in modules.
    private var width: Int { self == .halves ? 1 : 2 }
    private var height: Int { self == .halves ? 2 : 3 }

    /// Returns the size of the picture in columns and rows.
    package func size(of code: QRCode) -> WindowSize {
        let side = code.size + 2 * Self.quietZone
        return WindowSize(columns: (side + width - 1) / width, rows: (side + height - 1) / height)
    }

    /// Returns lines of text, each with a line feed and a reset of the colours.
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

    /// Refuses a window that is too small for the picture and some lines around it.
    package func check(
        _ code: QRCode,
        linesAround: Int = 3,
        in window: WindowSize
    ) throws(ConsoleError) {
        let picture = size(of: code)
        let needed = WindowSize(columns: picture.columns, rows: picture.rows + linesAround)
        guard window.holds(needed) else { throw .windowTooSmall(window: window, needed: needed) }
    }

    /// Returns the character for some dark modules, one bit each: from the left, row by row.
    private func glyph(_ number: Int) -> Unicode.Scalar {
        if self == .halves { return [" ", "▀", "▄", "█"][number] }
        switch number {
        case 0: return " "
        case 0b010101: return "▌"
        case 0b101010: return "▐"
        case 0b111111: return "█"
        default:
            // Three of these characters are older than the others, which leaves gaps in their numbers.
            let gaps = (number > 0b010101 ? 1 : 0) + (number > 0b101010 ? 1 : 0)
            return Unicode.Scalar(UInt32(0x1FB00 + number - 1 - gaps)) ?? " "
        }
    }
}
