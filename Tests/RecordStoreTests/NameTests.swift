import RecordStore
import Testing

/// What may be called what.
@Suite struct NameTests {
    @Test(arguments: ["a", "0", "hsip.contact", "trash.login", "a-b", String(repeating: "k", count: 32)])
    func `a kind of lower-case letters, digits, dots and dashes is taken`(kind: String) throws {
        #expect(try RecordKind(kind).rawValue == kind)
    }

    @Test(arguments: ["", "A", ".a", "-a", "a_b", "a b", "ä", "a/b", String(repeating: "k", count: 33)])
    func `any other kind is refused`(kind: String) {
        #expect(throws: StoreError.invalidRecord(.kind)) { try RecordKind(kind) }
    }

    @Test(arguments: [
        "a", "A b", "café", "日本語", "🔒", "a/b", String(repeating: "n", count: 512),
        String(repeating: "é", count: 256), "ﬁ", "\u{200D}",
    ])
    func `a name in normal form is taken`(name: String) throws {
        #expect(try RecordID("n", name).name == name)
        #expect(NameRules.normalized(name) == name)
    }

    @Test(arguments: [
        "", " a", "a ", "\u{A0}a", "a\u{3000}", "a\u{0}b", "a\nb", "a\u{1F}", "a\u{7F}", "a\u{85}b",
        "a\u{200E}b", "a\u{200F}b", "a\u{2028}b", "a\u{202E}b", "a\u{2066}b", "a\u{2069}b", "\u{FEFF}a",
        String(repeating: "n", count: 513), String(repeating: "é", count: 257),
    ])
    func `a name that hides something or is too long is refused`(name: String) {
        #expect(throws: StoreError.invalidRecord(.name)) { try RecordID("n", name) }
    }

    @Test(arguments: ["cafe\u{301}", "\u{212B}", "\u{1100}\u{1161}", "a\u{323}\u{307}b\u{307}\u{323}"])
    func `a name that is not in normal form is refused, and the edge brings it there`(name: String) throws {
        #expect(throws: StoreError.invalidRecord(.name)) { try RecordID("n", name) }
        let normal = NameRules.normalized(name)
        #expect(try Array(RecordID("n", normal).name.utf8) == Array(normal.utf8))
        #expect(Array(normal.utf8) != Array(name.utf8))
    }

    @Test func `ids are ordered by kind, then by name`() throws {
        let ids = try [("b", "a"), ("a", "b"), ("a", "a"), ("a", "B")].map { try RecordID($0, $1) }
        #expect(ids.sorted().map(\.description) == ["a/B", "a/a", "a/b", "b/a"])
    }

    @Test func `attributes are unique, sorted by bytes, and within their limits`() throws {
        let many = Dictionary(uniqueKeysWithValues: (0..<64).map { ("a\($0)", "v") })
        #expect(try Attributes(many).count == 64)
        #expect(throws: StoreError.invalidRecord(.attributeCount)) {
            try Attributes(many.merging(["b": "v"]) { $1 })
        }
        for name in ["", String(repeating: "x", count: 65)] {
            #expect(throws: StoreError.invalidRecord(.attributeName)) { try Attributes([name: "v"]) }
        }
        #expect(throws: StoreError.invalidRecord(.attributeName)) {
            try Attributes(bytes: [("a", [1]), ("a", [2])])
        }
        #expect(throws: StoreError.invalidRecord(.attributeValue)) {
            try Attributes(bytes: [("a", [UInt8](repeating: 0, count: 4_097))])
        }
        // Equal to Swift, but other bytes: two attributes.
        let accents = try Attributes(bytes: [("e\u{301}", [1]), ("\u{E9}", [2])])
        #expect(accents.all.map(\.value) == [[1], [2]])
        #expect(accents.bytes("\u{E9}") == [2])
        #expect(try Attributes(["e\u{301}": "v"]) != Attributes(["\u{E9}": "v"]))
    }

    @Test func `attributes contain those that are all there with the same value`() throws {
        let attributes = try Attributes(["a": "1", "b": "2"])
        #expect(try attributes.contains(Attributes(["a": "1"])))
        #expect(attributes.contains(.none))
        #expect(try !attributes.contains(Attributes(["a": "2"])))
        #expect(try !attributes.contains(Attributes(["c": "1"])))
        #expect(!Attributes.none.contains(attributes))
    }
}
