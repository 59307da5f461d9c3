internal import System
package import VaultCrypto

/// One page of PDF 1.4 with text in standard fonts, lines and squares.
///
/// Units are points from the lower left corner. The content stays in locked memory.
package struct PDFPage {
    package enum Font: Int, CaseIterable {
        case plain, bold, code

        /// The name of a standard font (one of 14), which is never embedded.
        fileprivate var name: String {
            switch self {
            case .plain: "Helvetica"
            case .bold: "Helvetica-Bold"
            case .code: "Courier-Bold"
            }
        }
    }

    /// A paper size in points.
    package struct Paper: Equatable, Sendable {
        package let width: Int
        package let height: Int

        package static let a4 = Paper(width: 595, height: 842)
        package static let letter = Paper(width: 612, height: 792)
    }

    package let paper: Paper
    private var content: [any ByteSource] = []

    /// Creates an empty page.
    package init(_ paper: Paper) { self.paper = paper }

    /// Whether the fonts have all letters of a text: those of Latin-1.
    package static func canShow(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            (0x20...0x7E).contains($0.value) || (0xA0...0xFF).contains($0.value)
        }
    }

    /// Writes a line of text; letters that the fonts lack are omitted.
    package mutating func write(_ text: String, _ font: Font, _ size: Int, x: Int, y: Int) {
        var line: [UInt8] = []
        for scalar in text.unicodeScalars where Self.canShow(String(scalar)) {
            if "()\\".unicodeScalars.contains(scalar) { line.append(UInt8(ascii: "\\")) }
            line.append(UInt8(truncatingIfNeeded: scalar.value))
        }
        put("BT /F\(font.rawValue) \(size) Tf \(x) \(y) Td (")
        content.append(line)
        put(") Tj ET\n")
    }

    /// Writes secret letters and digits.
    package mutating func write(_ secret: Secret, _ font: Font, _ size: Int, x: Int, y: Int) {
        put("BT /F\(font.rawValue) \(size) Tf \(x) \(y) Td (")
        content.append(secret)
        put(") Tj ET\n")
    }

    /// Draws a line to write on.
    package mutating func rule(from start: Int, to end: Int, y: Int) {
        put("0.5 w \(start) \(y) m \(end) \(y) l S\n")
    }

    /// Draws a QR code; each run of dark modules in a row is one filled rectangle.
    ///
    /// - Parameters:
    /// - code: The code; the caller leaves space for the quiet zone.
    /// - module: The side of a module.
    /// - x: The left edge.
    /// - y: The upper edge.
    /// - Throws: `outOfMemory`.
    package mutating func draw(_ code: QRCode, module: Int, x: Int, y: Int) throws(ConsoleError) {
        var runs = try SecretBuffer(limit: code.size * code.size * 16)
        for row in 0..<code.size {
            var column = 0
            while column < code.size {
                let start = column
                while code[column, row] { column += 1 }
                if column > start {
                    try Self.append([start, -1 - row, column - start, 1], "re", to: &runs)
                } else {
                    column += 1
                }
            }
        }
        put("q \(module) 0 0 \(module) \(x) \(y) cm\n")
        content.append(Secret(try runs.finish()))
        put("f Q\n")
    }

    /// Returns the file.
    ///
    /// - Throws: `outOfMemory`.
    package func file() throws(ConsoleError) -> SecretBytes {
        let fonts = Font.allCases.map { "/F\($0.rawValue) \($0.rawValue + 5) 0 R" }.joined(separator: " ")
        let length = content.reduce(0) { $0 + $1.count }
        var objects: [[any ByteSource]] = [
            [Self.bytes("<</Type/Catalog/Pages 2 0 R>>")],
            [Self.bytes("<</Type/Pages/Kids[3 0 R]/Count 1>>")],
            [
                Self.bytes(
                    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(paper.width) \(paper.height)]"
                        + "/Resources<</Font<<\(fonts)>>>>/Contents 4 0 R>>"
                )
            ],
            [Self.bytes("<</Length \(length)>>\nstream\n")] + content + [Self.bytes("endstream")],
        ]
        objects += Font.allCases.map {
            [Self.bytes("<</Type/Font/Subtype/Type1/BaseFont/\($0.name)/Encoding/WinAnsiEncoding>>")]
        }
        var pieces: [any ByteSource] = [Self.bytes("%PDF-1.4\n%") + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]]
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let place = "\(pieces.reduce(0) { $0 + $1.count })"
            table += String(repeating: "0", count: 10 - place.count) + place + " 00000 n \n"
            pieces += [Self.bytes("\(index + 1) 0 obj\n")] + object + [Self.bytes("\nendobj\n")]
        }
        let start = pieces.reduce(0) { $0 + $1.count }
        let end = "trailer\n<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        pieces.append(Self.bytes(table + end))
        do throws(CryptoError) { return try SecretBytes.joined(pieces) } catch { throw .outOfMemory }
    }

    private mutating func put(_ text: String) { content.append(Self.bytes(text)) }

    /// Appends small numbers and an operator in locked memory.
    private static func append(
        _ numbers: [Int],
        _ operation: String,
        to buffer: inout SecretBuffer
    ) throws(ConsoleError) {
        for number in numbers {
            if number < 0 { try buffer.append(UInt8(ascii: "-")) }
            let size = number.magnitude
            for unit: UInt in [100, 10, 1] where size >= unit || unit == 1 {
                try buffer.append(UInt8(ascii: "0") + UInt8(size / unit % 10))
            }
            try buffer.append(UInt8(ascii: " "))
        }
        for byte in operation.utf8 { try buffer.append(byte) }
        try buffer.append(UInt8(ascii: "\n"))
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
