import HSIP
import Support
import Testing
import VaultCrypto

/// Reading and writing one message as text.
struct MessageTextTests {
    private let message: MessageEnvelope
    private let encoded: String

    init() throws {
        message = try Sample.seal(Array("one message, some words long".utf8))
        encoded = StrictBase64.encode(message.bytes)
    }

    private func parse(_ text: String) -> MessageEnvelope? {
        try? MessageText.parse(Array(text.utf8))
    }

    @Test func `all forms are read back`() throws {
        try forAll("forms", generate: { Sample.text(&$0) }) { text in
            let message = try Sample.seal(text)
            return try [.compact, .stealth, .verbose(id: nil), .verbose(id: "x-1.A_b")].allSatisfy {
                try MessageText.parse(MessageText.write(message, as: $0)) == message
            }
        }
    }

    @Test func `the verbose form without an id has no links`() throws {
        let text = try MessageText.write(message, as: .verbose(id: nil))
        #expect(String(decoding: text, as: UTF8.self) == "🔒 [HSIP Encrypted Message]\n\(encoded)")
    }

    @Test(arguments: ["", "a b", "é", "a\nb", "a/b", String(repeating: "x", count: 37)])
    func `an id that would break the verbose form is refused`(id: String) {
        let found = refusal { () throws(HSIPError) in _ = try MessageText.write(message, as: .verbose(id: id))
        }
        #expect(found == .malformed)
    }

    @Test(arguments: [
        "🔒%", " %\n", "%\r\n", "\u{3000}%\u{A0}", "🔒%\r\n", "🔒%   ", "🔒\n%",
        "🔒 [HSIP Encrypted Message]\r\n\r\n%\r\n",
        "🔒 hello\n%", "🔒\u{FE0F}%", "🔒 %", "Alice: 🔒%", "🔒%.", "(🔒%)", "see 🔒% now", "> 🔒%",
        "[HSIP Encrypted Message]\n%", "a few words\n%\nand more", "🔒🔒%",
    ])
    func `a message is read with what programs put around it`(pattern: String) {
        #expect(parse(pattern.replacing("%", with: encoded)) == message)
    }

    @Test func `the longest line wins, the last of equals`() throws {
        let other = try Sample.seal(Array("one message, some words lonG".utf8))
        let second = StrictBase64.encode(other.bytes)
        #expect(parse("🔒 two\n\(encoded)\n\(second)") == other)
        #expect(parse("🔒 two\n\(second)\n\(encoded)") == message)
        #expect(parse("🔒 two\r\n\(encoded)\r\n\(second)") == other)
        let long = StrictBase64.encode(try Sample.seal(Array(repeating: 0x61, count: 100)).bytes)
        #expect(parse("🔒 two\n\(long)\n\(encoded)")?.ciphertext.count == 100)
    }

    @Test func `an id longer than the message does no harm`() {
        let id = String(repeating: "i", count: 200)
        let text =
            "🔒 [HSIP Encrypted Message]\nDecrypt: hsip://m/\(id)\nOr visit: hsip://decrypt?id=\(id)\n\n\(encoded)"
        #expect(parse(text) == message)
    }

    @Test(arguments: [40, 60, 76, 77, 78, 79])
    func `a wrapped and quoted message is joined`(width: Int) throws {
        let long = try Sample.seal(Array(repeating: 0x61, count: 200))
        let text = MessageText.compact(long).dropFirst(4)
        let lines = stride(from: text.startIndex, to: text.endIndex, by: width).map {
            String(decoding: text[$0..<min($0 + width, text.endIndex)], as: UTF8.self)
        }
        #expect(parse("🔒" + lines.joined(separator: "\n")) == long)
        #expect(parse("> 🔒" + lines.joined(separator: "\r\n> ") + "\r\n> okay") == long)
        #expect(parse("🔒 [HSIP Encrypted Message]\n\n" + lines.joined(separator: "\n") + "\nokay") == long)
    }

    @Test func `a longer line below a wrapped message is not joined to it`() throws {
        // 348 characters without padding, six full lines of 58.
        let long = try Sample.seal(Array(repeating: 0x61, count: 200))
        let text = Array(StrictBase64.encode(long.bytes))
        let lines = (0..<6).map { String(text[($0 * 58)..<($0 * 58 + 58)]) }.joined(separator: "\n")
        #expect(parse("🔒\(lines)\n\(String(repeating: "okay", count: 30))") == long)
        #expect(parse("🔒\(lines)\n\nokay") == long)
    }

    @Test(arguments: [59, 60])
    func `a message that is too short is malformed`(count: Int) throws {
        let bytes = [1] + [UInt8](repeating: 3, count: count - 1)
        let text = "🔒" + StrictBase64.encode(bytes)
        #expect(
            refusal { () throws(HSIPError) in _ = try MessageEnvelope(bytes: bytes) } == .malformedMessage
        )
        #expect(
            refusal { () throws(HSIPError) in _ = try MessageText.parse(Array(text.utf8)) }
                == .malformedMessage
        )
    }

    @Test(arguments: [0, 4, 255] as [UInt8])
    func `another version is malformed`(version: UInt8) {
        let text = "🔒" + StrictBase64.encode([version] + message.bytes.dropFirst())
        #expect(
            refusal { () throws(HSIPError) in _ = try MessageText.parse(Array(text.utf8)) }
                == .malformedMessage
        )
    }

    @Test(arguments: [2, 3] as [UInt8], [40, 76, 1_000])
    func `a message of a newer program is told from a damaged one, however it is wrapped`(
        version: UInt8,
        width: Int
    ) throws {
        let long = try Sample.seal(Array(repeating: 0x61, count: 200))
        let text = Array(StrictBase64.encode([version] + long.bytes.dropFirst()))
        let lines = stride(from: 0, to: text.count, by: width).map {
            String(text[$0..<min($0 + width, text.count)])
        }.joined(separator: "\n")
        for pasted in ["🔒" + lines, "🔒 [HSIP Encrypted Message]\n\n" + lines] {
            let found = MessageText.find(in: Array(pasted.utf8), stealth: false)
            #expect(found.map(\.envelope) == [nil] && found.map(\.refusal) == [.unsupportedVersion])
            #expect(
                refusal { () throws(HSIPError) in _ = try MessageText.parse(Array(pasted.utf8)) }
                    == .unsupportedVersion
            )
        }
    }

    @Test func `base64 that is not canonical is malformed`() throws {
        // 61 bytes end in two digits and two pads; the low four bits of the last digit must be zero.
        let text = StrictBase64.encode(try Sample.seal([]).bytes)
        #expect(parse("🔒" + text) != nil)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let last = try #require(digits.firstIndex(of: Array(text)[81]))
        #expect(last.isMultiple(of: 16))
        #expect(parse("🔒" + text.prefix(81) + String(digits[last + 1]) + "==") == nil)
        #expect(parse("🔒" + text.dropLast()) == nil)
        #expect(parse("🔒" + text.dropLast(2)) == nil)
        #expect(parse("🔒AB==") == nil)
    }

    @Test func `the URL alphabet and blanks inside are malformed`() throws {
        let message = try MessageEnvelope(bytes: [1] + [UInt8](repeating: 0xFB, count: 80))
        let text = StrictBase64.encode(message.bytes)
        #expect(text.contains("+"))
        #expect(parse("🔒" + text) == message)
        #expect(parse("🔒" + text.replacing("+", with: "-")) == nil)
        #expect(parse("🔒" + text.prefix(50) + " " + text.dropFirst(50)) == nil)
    }

    @Test(arguments: ["", " ", "🔒", "🔒\n", "hello", "🔒 [HSIP Encrypted Message]", "[HSIP", "====", "\u{0}"])
    func `text without a message is malformed`(text: String) {
        #expect(
            refusal { () throws(HSIPError) in _ = try MessageText.parse(Array(text.utf8)) }
                == .malformedMessage
        )
    }

    @Test func `text above 2 MiB is not read`() {
        let text = MessageText.compact(message) + [UInt8](repeating: 0x20, count: 2 << 20)
        #expect(refusal { () throws(HSIPError) in _ = try MessageText.parse(text) } == .malformedMessage)
        #expect(
            MessageText.find(in: text, stealth: false) == [FoundMessage(range: 0..<text.count, envelope: nil)]
        )
    }

    @Test(arguments: [
        ("🔒abc123", true), ("Check this [HSIP message", true), ("Normal text", false), ("", false),
    ])
    func `a marker is seen where upstream sees one`(text: String, isSeen: Bool) {
        #expect(MessageText.hasMarker(Array(text.utf8)) == isSeen)
    }
}
