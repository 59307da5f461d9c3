import Testing
import Text
import VaultCrypto

/// The one writer of JSON, into memory that is not locked.
@Suite struct WritingTests {
    @Test func `no secret is written into memory that is not locked, however deep it lies`() throws {
        let secret = try Secret(copying: [0x61])
        for value in [JSONValue.secret(secret), .secretBase64(secret)] {
            #expect(throws: JSONError.secret) { try value.bytes() }
            #expect(throws: JSONError.secret) { try JSONValue.list([["a": value]]).bytes(.pages) }
        }
    }

    @Test func `what a terminal or an old parser stumbles over is escaped`() throws {
        let text = "a\u{7F}\u{9B}\u{202E}\u{2028}\u{FEFF}\u{1}é😀"
        let written = try JSONValue.text(text).bytes()
        #expect(
            String(decoding: written, as: UTF8.self) == #""a\u007f\u009b\u202e\u2028\ufeff\u0001é😀""#
        )
        #expect(try JSONValue(written).text == text)
    }

    @Test func `the order of members says nothing, a value that differs does`() throws {
        let one: JSONValue = ["a": 1, "b": [true, "x"]]
        #expect(one == ["b": [true, "x"], "a": 1])
        #expect(one != ["b": [true, "y"], "a": 1])
        #expect(one != ["a": 1])
        let secret = try Secret(copying: [0x61])
        #expect(JSONValue.secret(secret) != .secret(secret))
    }
}
