import HSIP
import Testing

struct LegacyLinkTests {
    private static let links: [(String, LegacyLink)] = [
        ("hsip://add?id=AQEBAQEB%2B&name=Bob", .add),
        ("HSIP://ADD?pubkey=00", .add),
        ("hsip://exchange?peer=a&pubkey=b", .exchange),
        ("hsip://peer/PPLGOXHM7QOHHLHVSUNB4IND53", .peer),
        ("hsip://m/abc123", .message),
        ("hsip://decrypt?id=abc123", .decrypt),
        ("hsip://something/else", .other),
        ("hsip:PPLGOXHM7QOHHLHVSUNB4IND53", .peerText),
        ("hsip:" + String(repeating: "0a", count: 32), .peerText),
        ("hsip:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=", .peerText),
    ]

    @Test(arguments: links)
    func `a link of the old apps is named and makes no code`(text: String, link: LegacyLink) throws {
        for written in [text, "see \(text) please", "<\(text)>", "\(text)\n"] {
            let bytes = Array(written.utf8)
            #expect(try CodeText.legacyLinks(in: bytes) == [link])
            #expect(throws: HSIPError.legacyLink) { try CodeText.codes(in: bytes) }
        }
    }

    @Test(arguments: [
        "", "hsip", "hsip:", "HSIP: the protocol", "hsip://", "hsip:// add", "hsip:offer", "hsip:OFER1QYQ",
        "xhsip://add?id=1", "0hsip:PPLGOXHM7QOHHLHVSUNB4IND53", "offer1qyqsz", "hsip:\u{200B}",
    ])
    func `other text holds neither code nor link`(text: String) throws {
        let bytes = Array(text.utf8)
        #expect(try CodeText.legacyLinks(in: bytes) == [])
        #expect(throws: HSIPError.noCode) { try CodeText.codes(in: bytes) }
    }

    @Test func `links are listed in order beside a code`() throws {
        let code = try #require(SampleCode.all.first).text
        let text = Array("hsip://m/1 \(code) hsip://decrypt?id=1".utf8)
        #expect(try CodeText.legacyLinks(in: text) == [.message, .decrypt])
        #expect(try CodeText.codes(in: text).count == 1)
    }
}
