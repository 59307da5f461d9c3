import Foundation
import Presentation
import System
import Testing

struct QRCodeTests {
    /// The table of the codes' text form: the version at correction M.
    @Test(arguments: [
        ("offer", 9), ("answer", 10), ("rotate", 9), ("accept", 10), ("revoke_session", 8),
        ("revoke_identity", 8),
        ("verify", 6),
    ])
    func `a code has the version that its page promises`(kind: String, version: Int) throws {
        let code = try #require(Fixtures.codes.first { $0.number == 0 && $0.kind == kind })
        let picture = try QRCode(code.text, correction: .medium)
        #expect(picture.version == version)
        #expect(picture.size == 17 + 4 * version)
    }

    @Test(arguments: [
        ("offer", 53, 27), ("answer", 57, 29), ("rotate", 53, 27), ("accept", 53, 27), ("verify", 41, 21),
    ])
    func `a code on the screen has the promised size`(kind: String, columns: Int, rows: Int) throws {
        let code = try #require(Fixtures.codes.first { $0.number == 0 && $0.kind == kind })
        let picture = try QRCode(code.text, correction: .low)
        #expect(QRBlocks.halves.size(of: picture) == WindowSize(columns: columns, rows: rows))
    }

    @Test(.enabled(if: Fixtures.has("zbarimg")), arguments: Fixtures.codes)
    func `a scanner reads the PNG picture`(code: Code) throws {
        for correction in [QRCode.Correction.low, .medium] {
            let png = try PNGImage.bytes(try QRCode(code.text, correction: correction))
            #expect(try ImageReader().codes(in: png) == [code.text])
        }
    }

    @Test(arguments: ["offer", "answer", "rotate", "accept", "verify"])
    func `a code in sextants leaves room for the lines around it in a window of 80 by 24`(kind: String) throws
    {
        let code = try #require(Fixtures.codes.first { $0.number == 0 && $0.kind == kind })
        let picture = try QRCode(code.text, correction: .low)
        try QRBlocks.sextants.check(picture, linesAround: 3, in: WindowSize(columns: 80, rows: 24))
    }

    @Test(
        .enabled(if: Fixtures.has("zbarimg")),
        arguments: Fixtures.codes,
        [QRBlocks.halves, .sextants]
    )
    func `a scanner reads what the terminal shows`(code: Code, blocks: QRBlocks) throws {
        let shown = blocks.render(try QRCode(code.text, correction: .low))
        let path = try #require(ChildProcess.find("zbarimg", in: .process))
        var process = ChildProcess(path: path)
        process.arguments = ["--quiet", "--raw", "--nodbus", "pgm:-"]
        process.input = Self.photograph(shown, blocks)
        let (status, output) = try process.run()
        #expect(status == 0)
        #expect(String(decoding: output, as: UTF8.self) == code.text + "\n")
    }

    /// A picture of the characters on a grey wall, as the cells of a terminal are: twice as high as wide.
    private static func photograph(_ shown: String, _ blocks: QRBlocks) -> [UInt8] {
        let lines = shown.split(separator: "\n").map { line in
            line.replacing("\u{1B}[38;5;16;48;5;231m", with: "").replacing("\u{1B}[0m", with: "")
        }
        let modules = lines.flatMap { line in Self.rows(of: String(line), blocks) }
        let (scale, tall, wall) = (6, blocks == .halves ? 6 : 8, 12)
        let width = (modules.first?.count ?? 0) * scale + 2 * wall
        let height = modules.count * tall + 2 * wall
        var points = Array("P5 \(width) \(height) 255\n".utf8)
        for y in 0..<height {
            for x in 0..<width {
                let isWall = x < wall || y < wall || x >= width - wall || y >= height - wall
                points.append(isWall ? 40 : modules[(y - wall) / tall][(x - wall) / scale] ? 0 : 255)
            }
        }
        return points
    }

    /// The modules of one line of characters.
    private static func rows(of line: String, _ blocks: QRBlocks) -> [[Bool]] {
        switch blocks {
        case .halves:
            return [line.map { $0 == "█" || $0 == "▀" }, line.map { $0 == "█" || $0 == "▄" }]
        case .sextants:
            let numbers = line.unicodeScalars.map { scalar -> Int in
                switch scalar {
                case " ": return 0
                case "▌": return 21
                case "▐": return 42
                case "█": return 63
                default:
                    let place = Int(scalar.value) - 0x1FB00 + 1
                    return place < 21 ? place : place < 41 ? place + 1 : place + 2
                }
            }
            return (0..<3).map { row in
                numbers.flatMap { number in [number >> (2 * row) & 1 == 1, number >> (2 * row + 1) & 1 == 1] }
            }
        }
    }

    @Test func `every row is painted black on white`() throws {
        let shown = QRBlocks.halves.render(try QRCode("HSIP", correction: .low))
        for line in shown.split(separator: "\n") {
            #expect(line.hasPrefix("\u{1B}[38;5;16;48;5;231m"))
            #expect(line.hasSuffix("\u{1B}[0m"))
        }
    }

    @Test func `a window that would tear the code is refused with both sizes`() throws {
        let offer = try #require(Fixtures.codes.first { $0.kind == "offer" })
        let code = try QRCode(offer.text, correction: .low)
        let error = #expect(throws: ConsoleError.self) {
            try QRBlocks.halves.check(code, in: WindowSize(columns: 80, rows: 24))
        }
        #expect(error?.explanation.message == "the QR code needs 53×30, and your window is 80×24")
        #expect(throws: Never.self) { try QRBlocks.halves.check(code, in: WindowSize(columns: 53, rows: 30)) }
    }

    @Test func `too much text is no code`() {
        #expect(throws: ConsoleError.tooLongForQR) {
            try QRCode(String(repeating: "x", count: 3_000), correction: .low)
        }
    }

    @Test(
        .enabled(if: Fixtures.has("zbarimg")),
        arguments: [
            "hello, world", "Mixed CASE 123", "12345678901234567890", "a b/c?d=e&f", "ü?", "日本語", "🔒AX",
        ]
    )
    func `other text is read as it was`(text: String) throws {
        let png = try PNGImage.bytes(try QRCode(text, correction: .medium))
        #expect(try ImageReader().codes(in: png) == [text])
    }

    @Test func `the PNG picture has its signature, its size and its end`() throws {
        let code = try QRCode("HSIP", correction: .medium)
        let png = try PNGImage.bytes(code)
        let side = (code.size + 8) * 8
        #expect(Array(png[0..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(
            Array(png[16..<24]) == [
                0, 0, UInt8(side >> 8), UInt8(side & 255), 0, 0, UInt8(side >> 8), UInt8(side & 255),
            ]
        )
        #expect(Array(png.suffix(8).prefix(4)) == Array("IEND".utf8))
    }

    @Test func `the SVG picture is XML and draws every dark module once`() throws {
        let code = try QRCode("HSIP:TEST", correction: .medium)
        let svg = SVGImage.text(code)
        let dark = (0..<code.size).map { row in (0..<code.size).count { code[$0, row] } }.reduce(0, +)
        let runs = svg.matches(of: /M\d+ \d+h(\d+)v1h-\d+z/).compactMap { Int($0.output.1) }
        #expect(runs.reduce(0, +) == dark)
        #expect(svg.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\""))
        if let path = ChildProcess.find("python3", in: .process) {
            var process = ChildProcess(path: path)
            process.arguments = ["-c", "import sys,xml.dom.minidom as m; m.parse(sys.stdin.buffer)"]
            process.environment = ["PATH=/usr/bin:/bin"]
            process.input = Array(svg.utf8)
            #expect(try process.run().status == 0)
        }
    }
}
