import Console
import Foundation
import Programs
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
        #expect(HalfBlocks.size(of: picture) == WindowSize(columns: columns, rows: rows))
    }

    @Test(.enabled(if: Fixtures.has("zbarimg")), arguments: Fixtures.codes)
    func `a scanner reads the PNG picture`(code: Code) throws {
        for correction in [QRCode.Correction.low, .medium] {
            let png = try PNGImage.bytes(try QRCode(code.text, correction: correction))
            #expect(try ImageReader().codes(in: png) == [code.text])
        }
    }

    @Test(.enabled(if: Fixtures.has("zbarimg")), arguments: Fixtures.codes)
    func `a scanner reads what the terminal shows`(code: Code) throws {
        let shown = HalfBlocks.render(try QRCode(code.text, correction: .low))
        let path = try #require(ChildProcess.find("zbarimg", in: .process))
        var process = ChildProcess(path: path)
        process.arguments = ["--quiet", "--raw", "--nodbus", "pgm:-"]
        process.input = Self.photograph(shown)
        let (status, output) = try process.run()
        #expect(status == 0)
        #expect(String(decoding: output, as: UTF8.self) == code.text + "\n")
    }

    /// A picture of half blocks on a grey wall, six points a module.
    private static func photograph(_ shown: String) -> [UInt8] {
        let lines = shown.split(separator: "\n").map { line in
            line.replacing("\u{1B}[38;5;16;48;5;231m", with: "").replacing("\u{1B}[0m", with: "")
        }
        let modules = lines.flatMap { line in
            [line.map { $0 == "█" || $0 == "▀" }, line.map { $0 == "█" || $0 == "▄" }]
        }
        let (scale, wall) = (6, 12)
        let width = (modules.first?.count ?? 0) * scale + 2 * wall
        let height = modules.count * scale + 2 * wall
        var points = Array("P5 \(width) \(height) 255\n".utf8)
        for y in 0..<height {
            for x in 0..<width {
                let isWall = x < wall || y < wall || x >= width - wall || y >= height - wall
                points.append(isWall ? 40 : modules[(y - wall) / scale][(x - wall) / scale] ? 0 : 255)
            }
        }
        return points
    }

    @Test func `every row is painted black on white`() throws {
        let shown = HalfBlocks.render(try QRCode("HSIP", correction: .low))
        for line in shown.split(separator: "\n") {
            #expect(line.hasPrefix("\u{1B}[38;5;16;48;5;231m"))
            #expect(line.hasSuffix("\u{1B}[0m"))
        }
    }

    @Test func `a window that would tear the code is refused with both sizes`() throws {
        let offer = try #require(Fixtures.codes.first { $0.kind == "offer" })
        let code = try QRCode(offer.text, correction: .low)
        let error = #expect(throws: ConsoleError.self) {
            try HalfBlocks.check(code, in: WindowSize(columns: 80, rows: 24))
        }
        #expect(error?.message == "window is 80×24, code needs 53×30")
        #expect(throws: Never.self) { try HalfBlocks.check(code, in: WindowSize(columns: 53, rows: 30)) }
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
