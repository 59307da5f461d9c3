import SafeText
import Testing

@Suite struct JSONDocumentTests {
    @Test(arguments: [
        #"{"b":1,"a":[true,false,null],"":{"x":-0.10E+3}}"#, #""""#, "[]", "{}", "0", "-1.5e-7", "1e400",
        #"["\"\\\n\r\t","é😀","\u0000\u001b\u007f\u2028"]"#, "12345678901234567890123456789.10",
    ])
    func `what was read is written as it came`(text: String) throws {
        #expect(try JSONDocument(Array(text.utf8)).line == text)
    }

    @Test func `members keep their order, and a changed one its place`() throws {
        var document = try JSONDocument(Array(#"{"z":1,"port":22.0,"a":{"k":[ 1 , 2 ]}}"#.utf8))
        document["port"] = .number("2222")
        document["new"] = .text("x")
        document["z"] = nil
        #expect(document.line == #"{"port":2222,"a":{"k":[1,2]},"new":"x"}"#)
        let pages = """
            {
              "port": 2222,
              "a": {
                "k": [
                  1,
                  2
                ]
              },
              "new": "x"
            }

            """
        #expect(document.pages == pages)
        #expect(try JSONDocument(Array(pages.utf8)) == document)
    }

    @Test(arguments: [
        ("\"\\u00e9\\ud83d\\ude00\\/\\b\\f\"", "é😀/\u{8}\u{C}"), ("\u{FEFF}\"x\"", "x"),
        (" \t\r\n\"x\" \n", "x"),
    ])
    func `escapes are read`(text: String, value: String) throws {
        #expect(try JSONDocument(Array(text.utf8)).text == value)
    }

    @Test(arguments: [
        "", " ", "{", "[", "\"", "{]", "[1,]", "[,1]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "{'a':1}", "01", "-",
        "1.", ".5",
        "1e", "+1", "0x10", "NaN", "Infinity", "tru", "nulll", "1 2", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "{\"a\":1,\"a\":2}", "// x\n1", "[1]]",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
    }

    @Test func `bytes that are no UTF-8 are refused, and so is a tower of brackets`() {
        #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
        let towers = [65, 100_000].map { Array(repeating: UInt8(0x5B), count: $0) }
        for tower in towers { #expect(throws: JSONError.self) { try JSONDocument(tower) } }
        let deep = Array(repeating: UInt8(0x5B), count: 64) + Array(repeating: UInt8(0x5D), count: 64)
        #expect(throws: Never.self) { try JSONDocument(deep) }
    }

    @Test func `every beginning of a text is refused`() {
        let text = Array(#"{"a":[1.5e3,"\u00e9x",{"b":null}],"c":true}"#.utf8)
        for end in text.indices { #expect(throws: JSONError.self) { try JSONDocument(Array(text[..<end])) } }
    }
}
