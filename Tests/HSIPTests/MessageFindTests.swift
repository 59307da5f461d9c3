import HSIP
import Support
import Testing
import VaultCrypto

/// Finding messages in pasted chats.
struct MessageFindTests {
    private func find(_ text: String, stealth: Bool = false) -> [(text: String, envelope: MessageEnvelope?)] {
        let bytes = Array(text.utf8)
        return MessageText.find(in: bytes, stealth: stealth).map {
            (String(decoding: bytes[$0.range], as: UTF8.self), $0.envelope)
        }
    }

    private func message(_ text: String) throws -> (envelope: MessageEnvelope, base64: String) {
        let envelope = try Sample.seal(Array(text.utf8))
        return (envelope, StrictBase64.encode(envelope.bytes))
    }

    @Test func `every message of a chat is found, with its exact range`() throws {
        let (one, two, three) = try (message("first"), message("second one"), message("the third"))
        let verbose = String(
            decoding: try MessageText.write(two.envelope, as: .verbose(id: "abc123")),
            as: UTF8.self
        )
        let found = find(
            """
            [10:01] Alice: 🔒\(one.base64)
            [10:02] Bob: ok 👍
            \(verbose)
            and 🔒\(three.base64)🔒\(one.base64), twice.
            """
        )
        #expect(found.map(\.envelope) == [one.envelope, two.envelope, three.envelope, one.envelope])
        #expect(found.map(\.text) == ["🔒" + one.base64, verbose, "🔒" + three.base64, "🔒" + one.base64])
    }

    @Test func `base64 alone is found only when asked for`() throws {
        let one = try message("hidden")
        let text = "Some words\n\(one.base64)\nmore words"
        #expect(find(text).isEmpty)
        #expect(find(text, stealth: true).map(\.envelope) == [one.envelope])
        #expect(find(text, stealth: true).map(\.text) == [one.base64])
        #expect(find("https://example.org/\(one.base64)", stealth: true).isEmpty)
    }

    @Test(arguments: ["🔒", "🔒\u{FE0F}", "🔒\u{FE0E}", "🔒 ", "🔒\u{FE0F} \t", "🔒\n", "🔒\r\n> "])
    func `what programs put behind the lock belongs to the message`(lock: String) throws {
        let one = try message("behind the lock")
        let found = find("see \(lock)\(one.base64)\nwords")
        #expect(found.map(\.envelope) == [one.envelope])
        #expect(found.map(\.text) == [lock + one.base64])
    }

    @Test func `words behind a message are not joined to it`() throws {
        // 63 bytes: no padding, so that nothing but the line's end shows the end.
        let one = try message("ab")
        #expect(!one.base64.contains("="))
        #expect(find("🔒\(one.base64)\nokay\nfine").map(\.envelope) == [one.envelope])
        #expect(
            find("🔒\(one.base64)\n\(String(repeating: "okay", count: 30))").map(\.envelope) == [one.envelope]
        )
        #expect(find("🔒\(one.base64) okay").map(\.envelope) == [one.envelope])
    }

    @Test func `a damaged message is reported as such`() throws {
        let one = try message("something to damage")
        let cut = String(one.base64.dropLast(3))
        #expect(find("🔒\(cut) and words").map(\.text) == ["🔒" + cut])
        #expect(find("🔒\(cut) and words").map(\.envelope) == [nil])
        #expect(find("🔒 [HSIP Encrypted Message]\n\(cut)").map(\.envelope) == [nil])
        #expect(find("🔒 [HSIP Encrypted Message]").map(\.envelope) == [nil])
        let found = find("🔒\(cut)\n🔒\(one.base64)")
        #expect(found.map(\.envelope) == [nil, one.envelope])
    }

    @Test(arguments: ["🔒", "🔒 locked the door", "my 🔒password", "🔒\n\nhello", "no marker at all", ""])
    func `a lock in ordinary talk is no message`(text: String) {
        #expect(find(text).isEmpty)
        #expect(find(text, stealth: true).isEmpty)
    }

    @Test func `a head looks no further than the next one`() throws {
        let one = try message("below the second head")
        let found = find("🔒 [HSIP Encrypted Message]\nlost\n🔒 [HSIP Encrypted Message]\n\(one.base64)")
        #expect(found.map(\.envelope) == [nil, one.envelope])
    }

    @Test func `messages are found whatever stands between them`() throws {
        let words = ["hello", "🔒", "[HSIP", "\n", "\r\n", "> ", " ", "=", "AQ", "\u{FE0F}", "🦊", "a+b/c"]
        try forAll(
            "chat",
            runs: 300,
            generate: { generator -> ([MessageEnvelope], [UInt8]) in
                var messages: [MessageEnvelope] = []
                var text = ""
                for _ in 0..<generator.number(in: 0...4) {
                    for _ in 0..<generator.number(in: 0...6) { text += generator.pick(words) ?? "" }
                    let message = try Sample.seal(Sample.text(&generator))
                    text += "\n🔒" + StrictBase64.encode(message.bytes) + ".\n"
                    messages.append(message)
                }
                return (messages, Array(text.utf8))
            }
        ) { messages, text in
            MessageText.find(in: text, stealth: false).compactMap(\.envelope) == messages
        }
    }

    @Test func `any bytes are searched without harm, and ranges are in order`() throws {
        let pieces: [[UInt8]] = [
            MessageText.compact(try Sample.seal([])), [0xF0, 0x9F, 0x94, 0x92], [0xF0], [0x9F, 0x94],
            [0xEF, 0xB8, 0x8F],
            Array("[HSIP".utf8), [0x0A], [0x0D, 0x0A], [0x20], [0x3E], [0x3D], Array("AQ".utf8), [0xFF],
            [0x00],
            [UInt8](repeating: 0x41, count: 76),
        ]
        try forAll(
            "total",
            runs: 1000,
            generate: { generator in
                (0..<generator.number(in: 0...30)).flatMap { _ in generator.pick(pieces) ?? [] }
            }
        ) { text in
            [false, true].allSatisfy { stealth in
                var end = 0
                return MessageText.find(in: text, stealth: stealth).allSatisfy { found in
                    defer { end = found.range.upperBound }
                    return found.range.lowerBound >= end && !found.range.isEmpty
                        && found.range.upperBound <= text.count
                }
            }
        }
    }

    /// Each would take minutes if the search went back over what it has seen.
    @Test(arguments: [
        "🔒", "🔒\n", "[HSIP", "[HSIP\n", "x [HSIP\nAAAAAAAAAAAAAAAAAAAA\n", "A", "AQAAAAAAAAAAAAAAAAAAAAAA\n",
        "AQAAAAAAAAAAAAAAAAAAAAA\n", "🔒AQAAAAAAAAAAAAAAAAAAAAAA\n", "🔒AQAAAAAAAAAAAAAAAAAAAA=\n", "🔒\u{FE0F}",
        "AQAAAAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAA\n", "> ", "\n", "🔒 ",
    ])
    func `a long run of the worst is read in one go`(piece: String) {
        let unit = Array(piece.utf8)
        let text = [UInt8]((0..<(1 << 18) / unit.count).map { _ in unit }.joined())
        for found in MessageText.find(in: text, stealth: true) {
            #expect(found.range.upperBound <= text.count)
        }
    }
}
