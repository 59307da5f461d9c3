import HSIP
import Testing

/// Parcels in what people paste (Schemas/parcel.md section 3).
struct ParcelTextTests {
    /// A parcel with a body of so many bytes; nothing opens it.
    private func parcel(_ count: Int) throws -> SealedParcel {
        let message = try MessageEnvelope(bytes: [1] + (0..<92).map { UInt8(truncatingIfNeeded: $0 * 37) })
        let header = try FileHeader(keyMessage: message, for: .parcel)
        return try SealedParcel(
            bytes: header.bytes + (0..<count).map { UInt8(truncatingIfNeeded: $0 * 101 + 250) }
        )
    }

    private func text(_ parcel: SealedParcel) throws -> String {
        String(decoding: try ParcelText.write(parcel), as: UTF8.self)
    }

    private func found(_ text: String) -> [FoundParcel] { ParcelText.find(in: Array(text.utf8)) }

    private func lines(_ text: String, of width: Int, after prefix: String = "") -> String {
        var (lines, rest) = ([Substring](), text[...])
        while !rest.isEmpty {
            lines.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return lines.map { prefix + $0 }.joined(separator: "\r\n")
    }

    @Test(arguments: [16, 17, 18, 300])
    func `a parcel is found however it is written`(count: Int) throws {
        let parcel = try parcel(count)
        let text = try text(parcel)
        let digits = String(text.dropFirst(ParcelText.scheme.count))
        let written: [String] = [
            text, "HSIP-Secret:" + digits, "Here it is: " + text + "\n", text + ".", "(" + text + ")",
            "\"" + text + "\", he said", text + " and some words", text + "\nThanks\nAlice\n",
            "hsip-secret: " + digits, "hsip-secret:\n" + digits + "\n", lines(text, of: 76),
            lines(text, of: 72, after: "> "), lines(text, of: 60, after: ">> ") + "\r\n",
            "é" + text + "é", "🔒" + text + "🔒",
            text.map { "\($0)" }.joined(separator: "\u{200B}"),
            text.map { "\($0)" }.joined(separator: "\u{FEFF}\u{2060}\u{00AD}\u{200D}"),
            digits.map { "\($0)" }.joined(separator: " ").withScheme,
        ]
        for written in written {
            let places = found(written)
            #expect(places.count == 1 && places.first?.readings.contains(parcel) == true, "\(written)")
        }
    }

    @Test func `several are found in their order, also where one is cut`() throws {
        let (one, other) = (try parcel(20), try parcel(40))
        let cut = try text(one).prefix(100)
        let places = found("\(try text(one))\nx \(cut) \(try text(other))\n\(cut)\n")
        #expect(places.map { $0.readings.first } == [one, nil, other, nil])
        #expect(found("\(try text(one))\(try text(other))").count == 1)
    }

    @Test func `words about a parcel are none, and letters before the scheme make it a word`() throws {
        let text = try text(parcel(20))
        for words in [
            "", "hsip-secret:", "it begins with hsip-secret: and goes on", "hsip-secret:iUhTSVBT", "hsip:",
            "x" + text, "7" + text, text.replacing("-secret", with: "secret"),
        ] {
            #expect(found(words).isEmpty, "\(words)")
        }
        #expect(found("_" + text).count == 1)
        #expect(try CodeReaderProbe.codes(in: text) == .noCode)
    }

    @Test func `a wrong, missing or foreign character leaves a damaged parcel`() throws {
        let text = try text(parcel(20))
        func replaced(by other: String) -> String { "\(text.prefix(150))\(other)\(text.dropFirst(151))" }
        let digits = text.dropFirst(ParcelText.scheme.count)
        let bad: [String] = [
            replaced(by: "+"), replaced(by: "="), String(text.prefix(150)),
            "hsip-secret:\(digits.dropFirst())",
            "hsip-secret:\(digits.lowercased())",
        ]
        for bad in bad {
            #expect(found(bad).map(\.readings) == [[]], "\(bad)")
        }
    }

    @Test func `48 KiB has a text, and a byte more has none`() throws {
        let body = ParcelText.longest - FileHeader.size
        let longest = try parcel(body)
        let text = try text(longest)
        #expect(found("a\n" + text + "\nb").map(\.readings) == [[longest]])
        #expect(throws: HSIPError.malformedGift) { try ParcelText.write(try parcel(body + 1)) }
        #expect(found(text + "AAAA").map(\.readings) == [[]])
        #expect(found(String(repeating: "a", count: CodeText.longestInput + 1)).map(\.readings) == [[]])
    }

    @Test func `a text full of schemes is looked at once`() {
        let many = String(repeating: "hsip-secret:", count: 80_000)
        #expect(found(many).isEmpty)
        let digits = String(repeating: "hsip-secret:iUhTSVBTDQoBAQAAAAAAAAAA ", count: 20_000)
        #expect(found(digits).count == 20_000)
        #expect(found(String(repeating: "h ", count: 500_000)).isEmpty)
    }
}

extension String {
    fileprivate var withScheme: String { ParcelText.scheme + self }
}

/// What the finder of codes says about a text.
private enum CodeReaderProbe {
    static func codes(in text: String) throws -> HSIPError? {
        do {
            _ = try CodeText.codes(in: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }
}
