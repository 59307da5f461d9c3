internal import ArgumentParser
package import Presentation
internal import System

/// A text as a QR code, in a given format.
package struct QRPicture {
    package let format: QRFormat
    package let code: QRCode
    let correction: QRCode.Correction

    /// The most bytes of a text with more correction; for longer texts, cameras read a code with fewer modules better.
    private static let longestWithCorrection = 1_024

    /// Makes the code: with few modules for a screen, and with more correction, which survives a crease, for files and pipes.
    package init(_ text: String, as format: QRFormat, isForScreen: Bool = false) throws(ConsoleError) {
        self.format = format
        correction = isForScreen || text.utf8.count > Self.longestWithCorrection ? .low : .medium
        code = try QRCode(text, correction: correction)
    }

    /// The bytes of the picture's file.
    package func bytes() throws(ConsoleError) -> [UInt8] {
        switch format {
        case .png: try PNGImage.bytes(code)
        case .svg: Array(SVGImage.text(code).utf8)
        case .ansi: Array(QRBlocks.halves.render(code).utf8)
        case .sextant: Array(QRBlocks.sextants.render(code).utf8)
        case .none: []
        }
    }

    /// `L` or `M`, as the standard calls them.
    package var level: String { correction == .low ? "L" : "M" }

    /// A picture that was written to a file (Schemas/cli/common.schema.json, `image`).
    func json(writtenTo path: String) -> JSONValue {
        [
            "format": .text(format.rawValue), "outputFile": .text(path), "version": .integer(code.version),
            "modules": .integer(code.size), "errorCorrection": .text(level),
        ]
    }
}

/// How a QR code is drawn.
package enum QRFormat: String, ExpressibleByArgument, CaseIterable {
    case png, svg
    /// Half blocks in explicit black on white, for a terminal.
    case ansi
    /// Characters of six pixels, for a small window.
    case sextant
    /// Does not draw a picture.
    case none

    /// The characters for a picture on a terminal; nil for other formats.
    package var blocks: QRBlocks? {
        switch self {
        case .ansi: .halves
        case .sextant: .sextants
        case .png, .svg, .none: nil
        }
    }
}
