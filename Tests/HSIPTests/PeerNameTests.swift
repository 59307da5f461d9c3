import HSIP
import Testing

struct PeerNameTests {
    @Test(arguments: [
        "", "Alice", "Zoë 🦊", "مرحبا", "می\u{200C}خواهم", "👩\u{200D}🚀", "각", "q\u{0323}\u{0307}",
        String(repeating: "n", count: 40), String(repeating: "🦊", count: 10), " ", "a/b", "Ω", "ﬁ",
    ])
    func `a usual name is taken as it is`(name: String) throws {
        #expect(try PeerName.checked(Array(name.utf8)) == name)
        #expect(Array(try PeerName.checked(Array(name.utf8)).utf8) == Array(name.utf8))
        #expect(PeerName.isValid(name))
    }

    @Test(arguments: [
        "e\u{301}", "\u{1100}\u{1161}", "\u{212B}", "\u{2126}", "\u{0958}", "\u{0340}",
        "q\u{0307}\u{0323}", "a\u{0315}\u{0300}",
    ])
    func `a name that is not in NFC is refused`(name: String) {
        #expect(!PeerName.isValid(name))
    }

    /// The edges of every refused range of section 3, and their neighbours that are allowed.
    @Test func `exactly the listed code points are refused`() throws {
        let refused: [ClosedRange<UInt32>] = [
            0x0000...0x001F, 0x007F...0x009F, 0x061C...0x061C, 0x200B...0x200B, 0x200E...0x200F,
            0x2028...0x202E, 0x2060...0x2069, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F,
        ]
        for range in refused {
            for value in range {
                let scalar = try #require(Unicode.Scalar(value))
                #expect(!PeerName.isValid("a\(scalar)b"), "\(value)")
            }
        }
        for value: UInt32 in [
            0x20, 0x7E, 0xA0, 0x061B, 0x061D, 0x200A, 0x200C, 0x200D, 0x2010, 0x2027, 0x202F, 0x205F, 0x206A,
            0xFEFE, 0xFF00, 0xFFF8, 0xFFFC, 0xDFFFF, 0xE0080,
        ] {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(PeerName.isValid("a\(scalar)b"), "\(value)")
        }
    }

    @Test(
        arguments: [
            [0xFF], [0x61, 0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]]
    )
    func `bytes that are no UTF-8 are refused`(bytes: [UInt8]) {
        #expect(throws: HSIPError.malformed) { try PeerName.checked(bytes) }
    }

    @Test func `forty bytes are the limit, not forty letters`() {
        #expect(!PeerName.isValid(String(repeating: "n", count: 41)))
        #expect(PeerName.isValid(String(repeating: "é", count: 20)))
        #expect(!PeerName.isValid(String(repeating: "é", count: 20) + "x"))
    }

    private static let alike: [(String, String)] = [
        ("Alice", "ALICE"), ("Alice", "Ａｌｉｃｅ"), ("Alice", "𝓐𝓵𝓲𝓬𝓮"), ("Alice", "𝔸𝕝𝕚𝕔𝕖"), ("Alice", "Ⓐⓛⓘⓒⓔ"),
        ("strasse", "Straße"), ("STRASSE", "straße"), ("fiona", "ﬁona"), ("Zoë", "ZOË"),
        ("Zoë", "Zoe\u{308}"),
        ("bob", " Bob "), ("a b", "A\u{3000}\u{00A0}b"), ("bob", "b\u{200D}o\u{200C}b"), ("ΣΟΦΟΣ", "σοφος"),
        ("σοφος", "σοφοσ"), ("agent7", "Agent⁷"), ("agent7", "Agent𝟟"), ("planck h", "planck ℎ"),
        ("Bob", "ℬob"),
        ("heart", "heart\u{FE0F}"),
    ]

    @Test(arguments: alike)
    func `names that look equal in the cheap sense fold alike`(one: String, other: String) {
        #expect(PeerName.folded(one) == PeerName.folded(other))
        #expect(PeerName.folded(PeerName.folded(one)) == PeerName.folded(one))
    }

    @Test(arguments: [
        ("Alice", "Alicia"), ("Alice", "Аlice"), ("Zoe", "Zoë"), ("bob", "b ob"), ("", "a"), ("rn", "m"),
    ])
    func `other names stay apart`(one: String, other: String) {
        #expect(PeerName.folded(one) != PeerName.folded(other))
    }

    @Test(arguments: ["-", "--yes", "-\u{0301}x", "-\u{200D}x"])
    func `an alias never begins with a dash, whatever joins it`(alias: String) throws {
        #expect(!Alias.isValid(alias))
        let peer = try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32)))
        #expect(Alias.suggestion(sentName: alias, peerID: peer).hasPrefix("peer-"))
    }
}
