import Secrets
import Testing
import VaultCrypto

struct ItemAttributesTests {
    private static let usual = ["xdg:schema": "org.freedesktop.Secret.Generic"]

    @Test func `sets are equal whatever the order in which a program gives them`() throws {
        let one = try ItemAttributes([pair("a", "1"), pair("b", "2")])
        let other = try ItemAttributes([pair("b", "2"), pair("a", "1")])
        #expect(one == other)
        #expect(one.isEqual(to: other))
        #expect(!one.isEqual(to: try ItemAttributes([pair("a", "1")])))
        #expect(!one.isEqual(to: try ItemAttributes([pair("a", "1"), pair("b", "3")])))
    }

    @Test func `an absent schema equals the generic one, and no other`() throws {
        let bare = try attributes(["user": "joe"])
        let generic = try attributes(Self.usual.merging(["user": "joe"]) { $1 })
        let other = try attributes(["user": "joe", "xdg:schema": "org.example"])
        #expect(bare.isEqual(to: generic) && generic.isEqual(to: bare))
        #expect(!bare.isEqual(to: other) && !other.isEqual(to: bare))
        #expect(bare != generic)
        let search = try attributes(Self.usual)
        #expect(bare.matches(search) && generic.matches(search) && !other.matches(search))
    }

    @Test func `a search finds what has all its pairs, and one for nothing finds everything`() throws {
        let item = try attributes(["user": "joe", "server": "example.org"])
        #expect(item.matches(.none))
        #expect(item.matches(try attributes(["user": "joe"])))
        #expect(!item.matches(try attributes(["user": "joe", "port": "1"])))
        #expect(!item.matches(try attributes(["user": "Joe"])))
        #expect(!ItemAttributes.none.matches(try attributes(["user": "joe"])))
    }

    @Test func `two spellings of one character are two values`() throws {
        let composed = try attributes(["user": "\u{E9}"])
        let decomposed = try attributes(["user": "e\u{301}"])
        #expect(composed != decomposed)
        #expect(!composed.isEqual(to: decomposed))
        #expect(!composed.matches(decomposed))
        // As names, too: both may stand in one item.
        let both = try ItemAttributes([pair("\u{E9}", "1"), pair("e\u{301}", "2")])
        #expect(both.pairs.count == 2)
        #expect(both["e\u{301}"] == [0x32])
    }

    @Test func `what is above a limit is refused, and what is at it is not`() throws {
        func many(_ count: Int) -> [ItemAttributes.Pair] { (0..<count).map { pair("a\($0)", "") } }
        #expect(try ItemAttributes(many(512)).pairs.count == 512)
        #expect(throws: ServiceError.tooMuch(.attributes, limit: 512)) { try ItemAttributes(many(513)) }
        let name = String(repeating: "n", count: 1_024)
        #expect(try ItemAttributes([pair(name, "")]).pairs.count == 1)
        #expect(throws: ServiceError.tooMuch(.attributeName, limit: 1_024)) {
            try ItemAttributes([pair(name + "n", "")])
        }
        let value = String(repeating: "v", count: 16 << 10)
        #expect(try ItemAttributes([pair("", value)]).pairs.count == 1)
        #expect(throws: ServiceError.tooMuch(.attributeValue, limit: 16 << 10)) {
            try ItemAttributes([pair("", value + "v")])
        }
        let part = String(repeating: "v", count: 4_096)
        let full = (0..<14).map { pair("\($0)", String(part.dropLast("\($0)".utf8.count))) }
        #expect(try ItemAttributes(full).pairs.count == 14)
        #expect(throws: ServiceError.tooMuch(.attributeBytes, limit: 56 << 10)) {
            try ItemAttributes(full + [pair("", "v")])
        }
        // Beside 48 pairs each one more counts four bytes, for the lengths that stand before it.
        let whole = String(value.dropLast())
        let beside = many(200)
        let room = (56 << 10) - 3 * (16 << 10) - beside.reduce(4 * 155) { $0 + $1.name.count }
        let all = beside + [pair("r", whole), pair("s", whole), pair("t", whole)]
        #expect(try ItemAttributes(all).size == (56 << 10) - room)
        let last = String(repeating: "v", count: room - 5)
        #expect(try ItemAttributes(all + [pair("u", last)]).size == 56 << 10)
        #expect(throws: ServiceError.tooMuch(.attributeBytes, limit: 56 << 10)) {
            try ItemAttributes(all + [pair("u", last + "v")])
        }
    }

    @Test func `a name that comes twice, and what is not UTF-8, is refused`() throws {
        #expect(throws: ServiceError.badAttribute) { try ItemAttributes([pair("a", "1"), pair("a", "1")]) }
        for bad: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
            #expect(throws: ServiceError.badAttribute) { try ItemAttributes([.init(name: bad, value: [])]) }
            #expect(throws: ServiceError.badAttribute) { try ItemAttributes([.init(name: [], value: bad)]) }
        }
    }
}

/// A pair of texts.
func pair(_ name: String, _ value: String) -> ItemAttributes.Pair {
    .init(name: Array(name.utf8), value: Array(value.utf8))
}

/// Attributes of texts.
func attributes(_ texts: [String: String]) throws -> ItemAttributes {
    try ItemAttributes(texts.map { pair($0.key, $0.value) })
}
