import Presentation
import Testing
import Text
import VaultCrypto

struct DisplayTests {
    private let display = Display(isUTF8: true)
    private static let open = "“\u{2068}"
    private static let close = "\u{2069}”"

    @Test(arguments: [
        ("Alice", "Alice"),
        ("Zoë Müller", "Zoë Müller"),
        ("山田　太郎", "山田　太郎"),
        ("محمد", "محمد"),
        ("👩‍👩‍👧 team", "👩‍👩‍👧 team"),
        ("race 🏎️", "race 🏎️"),
        ("\u{1B}[31mred", "␛[31mred"),
        ("\u{1B}]0;title\u{07}", "␛]0;title\\x07"),
        ("a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd"),
        ("nul\u{0}", "nul\\x00"),
        ("csi\u{9B}2J", "csi\\x9b2J"),
        ("del\u{7F}", "del\\x7f"),
        ("evil\u{202E}txt.exe", "evil⟦U+202E⟧txt.exe"),
        ("a\u{2066}b\u{2069}c", "a⟦U+2066⟧b⟦U+2069⟧c"),
        ("\u{200F}rtl\u{061C}", "⟦U+200F⟧rtl⟦U+061C⟧"),
        ("al\u{200B}ice\u{FEFF}", "al⟦U+200B⟧ice⟦U+FEFF⟧"),
        ("soft\u{AD}hyphen", "soft⟦U+00AD⟧hyphen"),
        ("tag\u{E0041}", "tag⟦U+E0041⟧"),
        ("no\u{A0}break", "no⟦U+00A0⟧break"),
        ("line\u{2028}", "line⟦U+2028⟧"),
        ("private\u{E000}", "private⟦U+E000⟧"),
        ("joiner\u{200D}alone", "joiner⟦U+200D⟧alone"),
        ("selector\u{FE0F}", "selector⟦U+FE0F⟧"),
        ("hangul\u{3164}filler", "hangul⟦U+3164⟧filler"),
        ("\u{301}accent first", "⟦U+0301⟧accent first"),
        ("Bob”, verified “x", "Bob⟦U+201D⟧, verified ⟦U+201C⟧x"),
        ("⟦U+0041⟧", "⟦U+27E6⟧U+0041⟦U+27E7⟧"),
    ])
    func `a name shows what is in it and does nothing`(name: String, shown: String) {
        #expect(display.name(name) == Self.open + shown + Self.close)
    }

    @Test func `a tower of accents is not built`() {
        let tower = "e" + String(repeating: "\u{301}", count: 6)
        #expect(display.cell(tower).hasSuffix("⟦U+0301⟧⟦U+0301⟧\u{2069}"))
    }

    @Test func `nothing that a terminal obeys passes, whatever the name`() {
        for value in UInt32(0)...0x2FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = display.name("a\(Character(scalar))b").unicodeScalars.dropFirst(2).dropLast(2)
            let obeyed = shown.contains {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            }
            #expect(!obeyed, "U+\(String(value, radix: 16))")
        }
    }

    @Test(arguments: [
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghijk", 10, "abcdefghi…"),
        ("山田山田山田", 10, "山田山田…"),
        ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 10, "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…"),
        ("abcde\u{202E}fgh", 10, "abcde…"),
        ("e\u{301}e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}…"),
    ])
    func `a long name is cut between characters`(name: String, columns: Int, shown: String) {
        #expect(display.name(name, columns: columns) == Self.open + shown + Self.close)
    }

    @Test func `without UTF-8 everything is ASCII`() {
        let plain = Display(isUTF8: false)
        #expect(plain.name("Zoë\u{1B}[0m \u{202E}") == "\"Zo<U+00EB>\\x1b[0m <U+202E>\"")
        #expect(plain.name("say \"hi\"") == "\"say <U+0022>hi<U+0022>\"")
        #expect(plain.name(String(repeating: "a", count: 50)).utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `a message keeps its lines, its spaces and its script`() throws {
        let message = "bonjour\u{A0}!\r\nمی\u{200C}روم\tx\u{1B}[2J\rover"
        let shown = "bonjour\u{A0}!\nمی\u{200C}روم\tx␛[2J\\x0dover"
        #expect(display.text(message) == shown)
        let secret = try SecretBytes(copying: Array(message.utf8))
        #expect(text(try display.text(secret)) == shown)
    }

    @Test func `bytes that are no text show as numbers`() throws {
        let secret = try SecretBytes(
            copying: [0x61, 0xFF, 0xC0, 0x80, 0xE2, 0x80, 0x62, 0xED, 0xA0, 0x80] as [UInt8]
        )
        #expect(text(try display.text(secret)) == "a\\xff\\xc0\\x80\\xe2\\x80b\\xed\\xa0\\x80")
    }

    @Test(arguments: [
        ("abc", 3), ("山", 2), ("é", 1), ("e\u{301}", 1), ("🏎️", 2), ("☀️", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("…", 1),
        ("█", 1),
    ])
    func `columns are those of a terminal`(sample: String, columns: Int) {
        #expect(TextWidth.of(sample) == columns)
    }
}
