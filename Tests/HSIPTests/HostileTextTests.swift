import HSIP
import Support
import Testing

/// Text made to hurt the extractor: it must end, quickly, with a code or a named refusal.
struct HostileTextTests {
    private static let mebibyte = 1 << 20
    /// Long enough that quadratic work would take minutes.
    private static let long = 1 << 17

    private func filled(_ unit: String) -> [UInt8] {
        let bytes = Array(unit.utf8)
        var text: [UInt8] = []
        text.reserveCapacity(Self.long)
        while text.count + bytes.count <= Self.long { text += bytes }
        return text
    }

    private func outcome(_ text: [UInt8]) -> HSIPError? {
        do {
            _ = try CodeText.codes(in: text)
            return nil
        } catch {
            return error
        }
    }

    /// Each of these is quadratic for an extractor that starts again too far back.
    @Test(
        arguments: [
            ("h", .noCode), ("hs", .noCode), ("hsip:", .noCode), ("hsip://", .legacyLink), ("h ", .noCode),
            ("hsip:offer1", .truncated), ("hsip:offer1 ", .truncated),
            ("h\u{200B}s\u{2060}i p : offer1", .truncated),
            ("hsip:verify1qh", .truncated), ("hsip:answer1hshshshs", .unsupportedVersion), (" ", .noCode),
            (">", .noCode),
            ("hsip:\u{FEFF}", .noCode), ("q", .noCode), ("\u{E2}", .noCode),
        ] as [(String, HSIPError)]
    )
    func `a long text of one pattern ends`(unit: String, expected: HSIPError) {
        #expect(outcome(filled(unit)) == expected)
    }

    @Test(arguments: SampleCode.suiteTwo, [20, 40, 2_000])
    func `a mebibyte of beginnings of long codes ends`(sample: SampleCode, length: Int) {
        let beginning = Array(sample.text.utf8.prefix(length))
        var text: [UInt8] = []
        while text.count + beginning.count <= Self.mebibyte { text += beginning }
        #expect(outcome(text) == .truncated)
        #expect(outcome(text.map { $0 == 0x48 ? 0x20 : $0 }) == .noCode)
    }

    @Test(arguments: ["hsip:offer1", "h", "hsi", "hsip:", "hsip:rotate", "hsip:verify1qyrx"])
    func `a beginning before many blanks ends`(beginning: String) {
        let blanks = [UInt8](repeating: 0x20, count: Self.long)
        let expected: HSIPError = beginning.contains("1") ? .truncated : .noCode
        #expect(outcome(Array(beginning.utf8) + blanks) == expected)
    }

    @Test func `more than a mebibyte is refused unread`() throws {
        let code = Array(try #require(SampleCode.all.first).text.utf8)
        let filler = [UInt8](repeating: 0x20, count: Self.mebibyte - code.count)
        #expect(outcome(filler + code) == nil)
        #expect(outcome(filler + [0x20] + code) == .malformed)
        #expect(throws: HSIPError.malformed) { try CodeText.legacyLinks(in: filler + [0x20] + code) }
    }

    @Test func `any bytes at all are read without harm`() throws {
        let seeds = SampleCode.some.map { Array($0.text.utf8) }
        try forAll(
            "total",
            seed: 99,
            runs: 3000,
            generate: { random -> [UInt8] in
                guard random.oneIn(2), var text = random.pick(seeds) else {
                    return random.bytes(random.number(in: 0...200))
                }
                for _ in 0..<random.number(in: 1...4) {
                    let place = random.number(in: 0...text.count - 1)
                    text.replaceSubrange(
                        place..<min(text.count, place + random.number(in: 0...3)),
                        with: random.bytes(random.number(in: 0...3))
                    )
                    if text.isEmpty { break }
                }
                return text
            },
            shrink: { text in text.indices.map { Array(text[..<$0] + text[($0 + 1)...]) } }
        ) { text in
            let codes = (try? CodeText.codes(in: text)) ?? []
            _ = try CodeText.legacyLinks(in: text)
            _ = try? ExchangeCode(bytes: text)
            return codes.allSatisfy { code in seeds.contains { $0 == Array(code.text.utf8) } }
        }
    }

    @Test func `a cut in the middle of a skipped character is no harm`() {
        for tail: [UInt8] in [[0xE2], [0xE2, 0x80], [0xC2], [0xEF, 0xBB], [0xE3, 0x80], [0xE1, 0x9A]] {
            #expect(outcome(Array("hsip:offer1q".utf8) + tail) == .truncated)
            #expect(outcome(Array("hsip:".utf8) + tail) == .noCode)
            #expect(outcome(Array("h".utf8) + tail) == .noCode)
        }
    }
}
