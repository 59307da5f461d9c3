import Testing
import VaultCrypto

@testable import HSIP

/// Every code must survive what chats, mail programs and people do to text.
struct ExtractionTests {
    private func found(_ text: String) throws -> [[UInt8]] {
        try CodeText.codes(in: Array(text.utf8)).map(\.bytes)
    }

    private func refusal(_ text: String) -> HSIPError? {
        #expect(throws: HSIPError.self) { try CodeText.codes(in: Array(text.utf8)) }
    }

    /// Mail quoting: lines of 60 columns behind `> `.
    private func quoted(_ text: String) -> String {
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(60))
            rest = rest.dropFirst(60)
        }
        return lines.map { "> \($0)\r\n" }.joined()
    }

    @Test(arguments: SampleCode.all + SampleCode.suiteTwo)
    func `a code is found however it is written`(sample: SampleCode) throws {
        let upper = sample.text
        let lower = upper.lowercased()
        let data = String(upper.dropFirst(5))
        let written = [
            upper,
            lower,
            upper + " and some words",
            "Here it is:\n" + upper + "\n",
            upper + ".",
            "(" + upper + ")",
            "[" + lower + "]",
            "\"" + upper + "\", he said",
            quoted(upper),
            "> " + quoted(lower).replacing("\r\n> ", with: "\n>> "),
            upper.map { "\($0)" }.joined(separator: "\u{200B}"),
            upper.map { "\($0)" }.joined(separator: "\u{FEFF}\u{2060}\u{00AD}\u{200D}"),
            upper.map { "\($0)" }.joined(separator: "\u{2028} \u{00A0}\u{3000}\t\u{1680}\u{205F}\u{0085}"),
            "hsip://" + data,
            "HSIP://" + data + "/",
            "Hsip: " + data,
            upper + " qpzry9x8gf2tvdw0s3jn54khce6mua7l",
            "<a href=\"hsip://" + lower + "\">" + lower + "</a>",
            "é" + upper + "é",
            "🔒" + upper + "🔒",
        ]
        for text in written {
            #expect(try found(text) == [sample.bytes], "\(text)")
        }
    }

    @Test(arguments: SampleCode.all + SampleCode.suiteTwo)
    func `one character too many or too few is told apart`(sample: SampleCode) {
        for extra in ["q", "B", "1", "0", "z"] {
            #expect(refusal(sample.text + extra) == .malformed)
        }
        #expect(refusal(String(sample.text.dropLast())) == .truncated)
        #expect(refusal(String(sample.text.dropLast()) + ".") == .truncated)
        #expect(refusal(String(sample.text.dropLast()) + "\nétude") == .truncated)
    }

    @Test(arguments: SampleCode.all + SampleCode.suiteTwo)
    func `every cut is named`(sample: SampleCode) throws {
        let separator = try #require(sample.text.firstIndex(of: "1"))
        let hasData = sample.text.distance(from: sample.text.startIndex, to: separator) + 1
        for length in 0..<sample.text.count {
            let expected: HSIPError = length < hasData ? .noCode : .truncated
            #expect(refusal(String(sample.text.prefix(length))) == expected, "\(length)")
        }
    }

    @Test(arguments: SampleCode.some + SampleCode.suiteTwo)
    func `a foreign character in the middle cuts the code`(sample: SampleCode) {
        for place in stride(from: 13, to: sample.text.count, by: 7) {
            for character in ["b", "I", "o", "1", ".", "é", "-", "\0"] {
                let text = sample.text.prefix(place) + character + sample.text.dropFirst(place)
                #expect(refusal(String(text)) == .truncated, "\(place) \(character)")
            }
        }
    }

    @Test(arguments: SampleCode.some)
    func `a letter or digit before the scheme makes it ordinary text`(sample: SampleCode) throws {
        for before in ["x", "Z", "7", "add", "x\(sample.text)x"] {
            #expect(refusal(before + sample.text) == .noCode)
        }
        for before in [" ", "_", ".", "/", "ß", "\u{200B}", "x "] {
            #expect(try found(before + sample.text) == [sample.bytes])
        }
    }

    @Test(arguments: CodeVector.all)
    func `equal codes count once and keep their order`(vector: CodeVector) throws {
        let (offer, answer) = (vector.values.offer, vector.values.answer)
        let text = [offer.code, answer.code, offer.code.lowercased(), "HSIP:// " + answer.code.dropFirst(5)]
            .joined(separator: "\n> ")
        #expect(try found(text) == [Hex.decode(offer.bytes), Hex.decode(answer.bytes)])
    }

    @Test(arguments: CodeVector.all)
    func `a whole code wins over damaged ones and links`(vector: CodeVector) throws {
        let (offer, answer) = (vector.values.offer, vector.values.answer)
        let damaged = [
            String(offer.code.dropLast(1)), String(offer.code.dropLast(2)), String(offer.code.dropLast(40)),
            offer.code + "Q", String(offer.code.prefix(11)), offer.code.replacing("1QYQSZ", with: "1QYQSP"),
            "hsip://add?id=AAAA&name=Bob",
        ]
        for text in damaged {
            #expect(try found(text + "\n" + answer.code) == [Hex.decode(answer.bytes)], "\(text)")
            #expect(try found(answer.code + "\n" + text) == [Hex.decode(answer.bytes)], "\(text)")
        }
    }

    @Test(arguments: SampleCode.some)
    func `a whole code that is not supported is reported before any damage`(sample: SampleCode) {
        var bytes = sample.bytes
        bytes[0] = 2
        let newer = "HSIP:" + String(decoding: Bech32m.encode(bytes, hrp: sample.kind.hrp), as: UTF8.self)
        let cut = String(sample.text.dropLast(9))
        #expect(refusal(newer) == .unsupportedVersion)
        #expect(refusal(cut + "\n" + newer) == .unsupportedVersion)
        #expect(refusal(newer + "\n" + cut) == .unsupportedVersion)
    }

    @Test(arguments: SampleCode.some, [0, 2, 3, 66, 400, 1_327])
    func `a code of a newer version or suite is named as that, whatever its length`(
        sample: SampleCode,
        more: Int
    ) {
        for (place, value, error) in [
            (0, UInt8(2), HSIPError.unsupportedVersion), (0, 0x81, .unsupportedVersion),
            (2, 3, .unsupportedSuite), (2, 7, .unsupportedSuite),
        ] where sample.kind.hasHeader || place == 0 {
            var bytes = sample.bytes + [UInt8](repeating: 0x5A, count: more)
            bytes[place] = value
            let text = "HSIP:" + String(decoding: Bech32m.encode(bytes, hrp: sample.kind.hrp), as: UTF8.self)
            for text in [text, text.uppercased(), "hsip://\(text.dropFirst(5)) and see you", "(\(text))."] {
                #expect(refusal(text) == error, "\(place) \(value) \(more)")
            }
            let lines = text.enumerated().map { $0 > 0 && $0.isMultiple(of: 60) ? "\n> \($1)" : "\($1)" }
            #expect(refusal("> " + lines.joined()) == error)
            // It stands above any damage, and below any code that can be used.
            #expect(refusal(String(sample.text.dropLast(9)) + "\n" + text) == error)
        }
    }

    @Test func `a newer code that is cut is still a newer one, a mistake in the first letters a mistake`()
        throws
    {
        let sample = try #require(SampleCode.all.first { $0.kind == .offer })
        var bytes = sample.bytes + [UInt8](repeating: 0x5A, count: 1_184)
        bytes[2] = 3
        let text = "HSIP:" + String(decoding: Bech32m.encode(bytes, hrp: "offer"), as: UTF8.self)
        #expect(refusal(String(text.dropLast(9))) == .unsupportedSuite)
        // Eleven characters are `HSIP:OFFER1`; the next five carry version, kind and suite.
        for place in 11..<16 {
            var letters = Array(sample.text)
            letters[place] = letters[place] == "Q" ? "P" : "Q"
            #expect(refusal(String(letters)) == .malformed, "\(place)")
        }
    }

    @Test func `a text with more codes than anybody can choose from is refused as several`() throws {
        let codes = try (0..<CodeText.maximumCodes + 1).map { number in
            try VerifyCode(
                senderFingerprint: [UInt8](repeating: UInt8(number), count: 32),
                receiverFingerprint: [UInt8](repeating: 0, count: 32)
            ).text
        }
        #expect(try found(codes.dropLast().joined(separator: " ")).count == CodeText.maximumCodes)
        #expect(refusal(codes.joined(separator: " ")) == .severalCodes)
    }

    @Test func `without a whole code the first damage is reported`() throws {
        let code = try #require(SampleCode.all.first).text
        let cut = String(code.dropLast(9))
        #expect(refusal(cut + "\n" + code + "Q") == .truncated)
        #expect(refusal(code + "Q\n" + cut) == .malformed)
        #expect(refusal("hsip://peer/abc " + cut) == .truncated)
    }
}
