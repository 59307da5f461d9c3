import Testing
import Text
import VaultCrypto

/// The one reader of JSON: everything RFC 8259 has, and nothing else.
@Suite struct ReadingTests {
    private func line(_ value: JSONValue, _ layout: JSONValue.Layout = .line) throws -> String {
        String(decoding: try value.bytes(layout), as: UTF8.self)
    }

    @Test(arguments: [
        #"{"b":1,"a":[true,false,null],"":{"x":-0.10E+3}}"#, #""""#, "[]", "{}", "0", "-1.5e-7", "1e400",
        #"["\"\\\n\r\t","é😀","\u0000\u001b\u007f\u2028"]"#, "12345678901234567890123456789.10",
    ])
    func `what was read is written as it came`(text: String) throws {
        #expect(try line(JSONValue(Array(text.utf8))) == text)
    }

    @Test func `members keep their order, and a changed one its place`() throws {
        var document = try JSONValue(Array(#"{"z":1,"port":22.0,"a":{"k":[ 1 , 2 ]},"e":[],"o":{}}"#.utf8))
        document["port"] = .number("2222")
        document["new"] = .text("x")
        document["z"] = nil
        #expect(try line(document) == #"{"port":2222,"a":{"k":[1,2]},"e":[],"o":{},"new":"x"}"#)
        let pages = """
            {
              "port": 2222,
              "a": {
                "k": [
                  1,
                  2
                ]
              },
              "e": [],
              "o": {},
              "new": "x"
            }

            """
        #expect(try line(document, .pages) == pages)
        #expect(try JSONValue(Array(pages.utf8)) == document)
    }

    @Test(arguments: [
        ("\"\\u00e9\\ud83d\\ude00\\/\\b\\f\"", "é😀/\u{8}\u{C}"), ("\u{FEFF}\"x\"", "x"),
        (" \t\r\n\"x\" \n", "x"), (#""\uD83D\uDe00\u20AC""#, "😀€"),
    ])
    func `escapes are read`(text: String, value: String) throws {
        #expect(try JSONValue(Array(text.utf8)).text == value)
    }

    @Test(arguments: [
        "", " ", "{", "[", "\"", "{]", "[1,]", "[,1]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "{'a':1}", "01", "-",
        "1.", ".5", "-01", "1e+",
        "1e", "+1", "0x10", "NaN", "Infinity", "tru", "nulll", "1 2", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "{\"a\":1,\"a\":2}", "// x\n1", "[1]]",
        #"{"a":1,"\u0061":2}"#, #"{"x":{"a":1,"a":1}}"#,
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(Array(text.utf8)) }
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: JSONError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
    }

    @Test func `lists and objects lie in each other to the limit and no further`() throws {
        func tower(_ height: Int) -> [UInt8] {
            Array(repeating: UInt8(0x5B), count: height) + Array(repeating: UInt8(0x5D), count: height)
        }
        #expect(throws: Never.self) { try JSONValue(tower(64)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(tower(65)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(Array(repeating: 0x5B, count: 100_000)) }
        #expect(throws: Never.self) { try JSONValue(tower(2), JSONLimits(depth: 2)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(tower(3), JSONLimits(depth: 2)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(Array(#"{"a":{}}"#.utf8), JSONLimits(depth: 1)) }
    }

    @Test func `no more values are read than the limit has`() throws {
        let text = Array(#"[1,{"a":2}]"#.utf8)
        #expect(throws: Never.self) { try JSONValue(text, JSONLimits(values: 4)) }
        #expect(throws: JSONError.tooManyValues) { try JSONValue(text, JSONLimits(values: 3)) }
    }

    @Test func `the line where reading stopped is told`() {
        #expect(throws: JSONError.malformed(line: 3)) { try JSONValue(Array("[1,\n\"\\n\",\n x]".utf8)) }
    }

    @Test func `every beginning of a text is refused`() {
        let text = Array(#"{"a":[1.5e3,"\u00e9x",{"b":null}],"c":true}"#.utf8)
        for end in text.indices { #expect(throws: JSONError.self) { try JSONValue(Array(text[..<end])) } }
    }

    @Test func `a text is decoded where it stands, and its place is what it says`() throws {
        var memory = try SecretBytes(copying: Array(#"{"p\u0061ss":"a\"\ud83d\ude00b"}"#.utf8))
        let place = try memory.withMutableBytes { try JSONPlace(reading: &$0) }
        let secret = Secret(memory)
        guard case .object(let members) = place, let member = members.first,
            case .text(let range) = member.value
        else {
            Issue.record("no object of a text")
            return
        }
        let parts = try [secret.part(member.name), secret.part(range)]
        #expect(
            parts.map { $0.withBytes { String(decoding: $0.copied(), as: UTF8.self) } } == ["pass", "a\"😀b"]
        )
    }

    @Test func `numbers keep their digits, and are whole ones where they are`() throws {
        let list = try JSONValue(Array("[7,-1,1.0,1e2,9223372036854775808]".utf8))
        #expect(list.items.map(\.integer) == [7, -1, nil, nil, nil])
    }

    @Test func `names that only look alike are two names`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        var document = try JSONValue(Array(#"{"\#(composed)":1,"\#(decomposed)":2}"#.utf8))
        #expect(document[composed]?.integer == 1)
        #expect(document[decomposed]?.integer == 2)
        document[decomposed] = 3
        #expect(try line(document) == #"{"\#(composed)":1,"\#(decomposed)":3}"#)
        #expect(JSONValue.text(composed) != .text(decomposed))
        #expect(JSONValue.object([JSONMember(composed, 1)]) != .object([JSONMember(decomposed, 1)]))
        #expect(throws: JSONError.self) { try JSONValue(Array(#"{"\#(composed)":1,"\#(composed)":2}"#.utf8)) }
    }
}
