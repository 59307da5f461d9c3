import HSIP
import Support
import Testing
import VaultCrypto

/// What can be sealed, and what opens.
struct MessageCipherTests {
    @Test func `what was sealed opens again, and is not what went in`() throws {
        try forAll("round trip", generate: { Sample.text(&$0) }) { text in
            let message = try Sample.seal(text)
            let opened = try MessageCipher.open(message, key: Sample.key)
            return ConstantTime.equal(opened, text) && message.bytes.count == 61 + text.count
                && (text.count < 8 || Array(message.ciphertext) != text)
        }
    }

    @Test(arguments: 0..<24)
    func `a plaintext with U+0000 is not sealed, wherever it stands`(place: Int) {
        for count in [place + 1, 24, 27] {
            var text = [UInt8](repeating: 0x01, count: count)
            text[place] = 0
            #expect(refusal { () throws(HSIPError) in _ = try Sample.seal(text) } == .badPlaintext)
        }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xE2, 0x82, 0x41],
            [0xF0, 0x9F, 0x94],
            [0xFF], Array("12345678".utf8) + [0xC3],
        ] as [[UInt8]]
    )
    func `a plaintext that is not UTF-8 is not sealed`(text: [UInt8]) {
        #expect(refusal { () throws(HSIPError) in _ = try Sample.seal(text) } == .badPlaintext)
    }

    @Test func `every character up to the last one can be sealed`() throws {
        for text in [
            "", "\u{1}\u{7F}", "\u{80}\u{7FF}", "\u{800}\u{D7FF}\u{E000}\u{FFFF}", "\u{10000}\u{10FFFF}",
        ] {
            #expect(refusal { () throws(HSIPError) in _ = try Sample.seal(Array(text.utf8)) } == nil)
        }
    }

    @Test func `random bytes are text for us exactly when they are text for Swift`() throws {
        try forAll(
            "UTF-8",
            runs: 2000,
            generate: { generator in
                (0..<generator.number(in: 0...12)).map { _ in
                    generator.pick([
                        0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4,
                    ])
                        ?? 0x41
                }
            }
        ) { (bytes: [UInt8]) in
            let isText = String(validating: bytes, as: UTF8.self) != nil
            return (refusal { () throws(HSIPError) in _ = try Sample.seal(bytes) } == nil) == isText
        }
    }

    @Test func `a message is at most 1 MiB`() throws {
        let longest = [UInt8](repeating: 0x61, count: (1 << 20) - 61)
        let message = try Sample.seal(longest)
        #expect(message.bytes.count == 1 << 20)
        #expect(try MessageText.parse(MessageText.compact(message)) == message)
        #expect(refusal { () throws(HSIPError) in _ = try Sample.seal(longest + [0x61]) } == .badPlaintext)
    }

    @Test(arguments: [33, 44, 45, 60, 61, 65])
    func `a changed nonce, tag or ciphertext does not open`(place: Int) throws {
        var bytes = try Sample.seal(Array("hello".utf8)).bytes
        bytes[place] ^= 1
        let message = try MessageEnvelope(bytes: bytes)
        #expect(
            refusal { () throws(HSIPError) in _ = try MessageCipher.open(message, key: Sample.key) }
                == .cannotOpen
        )
    }

    @Test func `the header is not authenticated, as upstream has it`() throws {
        var bytes = try Sample.seal(Array("hello".utf8)).bytes
        bytes.replaceSubrange(1..<33, with: [UInt8](repeating: 0xEE, count: 32))
        let message = try MessageEnvelope(bytes: bytes)
        #expect(message.sender.bytes == [UInt8](repeating: 0xEE, count: 32))
        expect(try MessageCipher.open(message, key: Sample.key), is: Array("hello".utf8))
    }

    @Test func `another key does not open, and leaves the memory zero`() throws {
        let message = try Sample.seal(Array("hello".utf8))
        var room = try SecretBytes(copying: [UInt8](repeating: 0xAA, count: 5))
        let key = [UInt8](repeating: 1, count: 32)
        let found = room.withMutableBytes { span in
            refusal { () throws(HSIPError) in try MessageCipher.open(message, key: key, into: &span) }
        }
        #expect(found == .cannotOpen)
        expect(room, is: [0, 0, 0, 0, 0])
    }

    @Test func `what is not text inside a good message is malformed, and wiped`() throws {
        let message = try Sample.sealUnchecked([0x61, 0xFF, 0x62])
        var room = try SecretBytes(copying: [UInt8](repeating: 0xAA, count: 3))
        let key = Sample.key
        let found = room.withMutableBytes { span in
            refusal { () throws(HSIPError) in try MessageCipher.open(message, key: key, into: &span) }
        }
        #expect(found == .malformedMessage)
        expect(room, is: [0, 0, 0])
    }

    @Test func `a peer's U+0000 is opened`() throws {
        let message = try Sample.sealUnchecked([0x61, 0, 0x62])
        expect(try MessageCipher.open(message, key: Sample.key), is: [0x61, 0, 0x62])
    }

    @Test func `keys and nonces of a wrong size are refused`() {
        let text = Array("hello".utf8)
        for (key, nonce) in [(31, 12), (33, 12), (32, 11), (32, 24)] {
            let found = refusal { () throws(HSIPError) in
                _ = try MessageCipher.seal(
                    text,
                    key: [UInt8](repeating: 1, count: key),
                    sender: Sample.sender,
                    nonce: [UInt8](repeating: 2, count: nonce)
                )
            }
            #expect(found == .malformed)
        }
    }
}
