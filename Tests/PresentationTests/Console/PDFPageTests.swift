import Foundation
import Presentation
import Testing
import VaultCrypto

struct PDFPageTests {
    private func text(_ page: PDFPage) throws -> String {
        // As Latin-1, so that each byte is one letter and places in the file are places in the text.
        try page.file().withBytes { String(String.UnicodeScalarView($0.copied().map { Unicode.Scalar($0) })) }
    }

    private func page() throws -> PDFPage {
        var page = PDFPage(.letter)
        page.write("Caf\u{E9} (\\) \u{2013} \u{1F642}", .bold, 12, x: 60, y: 700)
        page.write(Secret(try SecretBytes(copying: Array("ABCD-1234".utf8))), .code, 20, x: 60, y: 600)
        page.rule(from: 60, to: 200, y: 500)
        return page
    }

    @Test func `each object is where the table says`() throws {
        let text = try text(try page())
        let scalars = Array(text.unicodeScalars)
        #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n"))
        let table = try #require(text.range(of: "xref\n0 8\n"))
        let entries = text[table.upperBound...].split(separator: "\n").prefix(8)
        for (number, entry) in entries.enumerated().dropFirst() {
            #expect(entry.unicodeScalars.count == 19)
            let place = try #require(Int(entry.prefix(10)))
            let head = "\(number) 0 obj"
            #expect(String(String.UnicodeScalarView(scalars[place..<place + head.count])) == head)
        }
        let start = try #require(text.range(of: "startxref\n"))
        let place = try #require(Int(text[start.upperBound...].prefix { $0.isNumber }))
        #expect(text.unicodeScalars.distance(from: text.startIndex, to: table.lowerBound) == place)
    }

    @Test func `the content is as long as it says`() throws {
        let text = try text(try page())
        let length = try #require(text.range(of: "/Length "))
        let count = try #require(Int(text[length.upperBound...].prefix { $0.isNumber }))
        let begin = try #require(text.range(of: "stream\n")).upperBound
        let end = try #require(text.range(of: "endstream")).lowerBound
        #expect(text.unicodeScalars.distance(from: begin, to: end) == count)
    }

    @Test func `brackets are escaped, and letters that the fonts lack are left out`() throws {
        let text = try text(try page())
        #expect(text.contains("BT /F1 12 Tf 60 700 Td (Caf\u{E9} \\(\\\\\\)  ) Tj ET\n"))
        #expect(text.contains("BT /F2 20 Tf 60 600 Td (ABCD-1234) Tj ET\n"))
        #expect(text.contains("MediaBox[0 0 612 792]"))
        #expect(PDFPage.canShow("J\u{FC}rgen") && !PDFPage.canShow("\u{5C71}\u{7530}"))
    }

    @Test func `the dark modules are rectangles, no more and no fewer`() throws {
        let code = try QRCode("KIT", correction: .medium)
        var page = PDFPage(.a4)
        try page.draw(code, module: 6, x: 100, y: 300)
        let text = try text(page)
        let begin = try #require(text.range(of: "q 6 0 0 6 100 300 cm\n")).upperBound
        let end = try #require(text.range(of: "f Q\n")).lowerBound
        var drawn = Set<[Int]>()
        for line in text[begin..<end].split(separator: "\n") {
            let parts = line.split(separator: " ")
            #expect(parts.count == 5 && parts[4] == "re" && parts[3] == "1")
            let numbers = parts.prefix(3).compactMap { Int($0) }
            for column in numbers[0]..<numbers[0] + numbers[2] { drawn.insert([column, -1 - numbers[1]]) }
        }
        for row in 0..<code.size {
            for column in 0..<code.size { #expect(drawn.contains([column, row]) == code[column, row]) }
        }
    }

    @Test func `a code that is wiped has no dark module left`() throws {
        var code = try QRCode(secret: Array("ABCD-1234".utf8), correction: .medium)
        #expect(code == (try QRCode("ABCD-1234", correction: .medium)))
        code.wipe()
        #expect((0..<code.size * code.size).allSatisfy { !code[$0 % code.size, $0 / code.size] })
    }
}
