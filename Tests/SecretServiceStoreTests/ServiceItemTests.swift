import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

@Suite struct ServiceItemTests {
    @Test func `what is made is found, read, replaced and removed`() throws {
        let desk = try Desk()
        let attributes = ["xdg:schema": "io.hsip.vault.Record", "name": "one"]
        let path = try desk.create("s3cret", attributes, label: "One")
        #expect(path.hasPrefix(desk.collection.path + "/"))
        #expect(try desk.service.find(attributes) == FoundItems(unlocked: [path]))
        #expect(try desk.text(of: path) == "s3cret")
        try desk.service.setSecret(try Secret(copying: Array("other".utf8)), of: path)
        #expect(try desk.text(of: path) == "other")
        try desk.service.delete(path)
        #expect(try desk.service.find(attributes) == FoundItems())
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 1 << 20, 16 << 20])
    func `a secret of any length and any bytes comes back`(count: Int) throws {
        let desk = try Desk()
        var generator = SeededGenerator(seed: UInt64(count))
        var bytes = [UInt8](repeating: 0, count: count)
        for (place, byte) in generator.bytes(min(count, 4_096)).enumerated() {
            bytes[place] = byte
            bytes[count - 1 - place] = byte
        }
        let path = try desk.service.create(
            ItemDraft(label: "Bytes", attributes: ["a": "b"], secret: try Secret(copying: bytes)),
            in: desk.collection.path
        )
        #expect(try desk.bytes(of: path) == bytes)
        try desk.service.setSecret(try Secret(copying: bytes + [1]), of: path)
        #expect(try desk.bytes(of: path) == bytes + [1])
    }

    @Test func `a secret too long for one message is refused before it is sent`() throws {
        let desk = try Desk()
        let draft = ItemDraft(
            label: "Long",
            attributes: ["a": "b"],
            secret: Secret(try SecretBytes(count: LargeItems.longest + 1))
        )
        #expect(throws: StoreError.invalidRecord(.body)) {
            try desk.service.create(draft, in: desk.collection.path)
        }
        #expect(try desk.service.find(["a": "b"]) == FoundItems())
    }

    @Test(arguments: [
        "plain", "Größe", "Ελληνικά", "русский", "日本語", "한국어", "العربية", "עברית", "हिन्दी", "ไทย",
        "🔑👨‍👩‍👧", "e\u{301}", "\u{202E}right to left", "a\nb\tc", "", " ", "'\"\\%s/", "\u{FFFF}",
    ])
    func `a name in any script is kept and found`(name: String) throws {
        let desk = try Desk()
        let attributes = ["xdg:schema": "io.hsip.vault.Record", "name": name, "n\(name)": "x"]
        let path = try desk.create("s", attributes, label: name)
        _ = try desk.create("s", ["name": name + "2"], label: name)
        #expect(try desk.service.find(["name": name]) == FoundItems(unlocked: [path]))
        let facts = try #require(try desk.service.facts(of: [path]).first)
        #expect(facts.label == name)
        #expect(facts.attributes == attributes)
    }

    @Test func `a text with U+0000 ends nowhere`() throws {
        let desk = try Desk()
        let path = try desk.create("s", ["name": "a\0b"], label: "x\0y")
        #expect(try desk.service.find(["name": "a"]) == FoundItems())
        #expect(try desk.service.find(["name": "a\0b"]) == FoundItems(unlocked: [path]))
        #expect(try desk.service.facts(of: [path]).first?.label == "x\u{FFFD}y")
    }

    @Test func `an item never takes the place of another`() throws {
        let desk = try Desk()
        let paths = [try desk.create("one", ["a": "b"]), try desk.create("two", ["a": "b"])]
        #expect(Set(try desk.service.find(["a": "b"]).unlocked) == Set(paths))
        #expect(try paths.map { try desk.text(of: $0) } == ["one", "two"])
    }

    @Test func `items are found by all of their attributes and by fewer`() throws {
        let desk = try Desk()
        let first = try desk.create("1", ["vault": "v", "kind": "k", "name": "a"])
        let second = try desk.create("2", ["vault": "v", "kind": "k", "name": "b"])
        #expect(try desk.service.find(["vault": "v", "name": "b"]).unlocked == [second])
        #expect(Set(try desk.service.find(["vault": "v"]).unlocked) == [first, second])
        #expect(try desk.service.find(["vault": "w"]) == FoundItems())
        #expect(try desk.service.find(["vault": "v", "name": "a", "more": ""]) == FoundItems())
    }

    @Test func `facts come in the order asked for and leave out what is gone`() throws {
        let desk = try Desk()
        let paths = try (0..<3).map { try desk.create("s", ["n": "\($0)"], label: "Label \($0)") }
        try desk.service.delete(paths[1])
        let facts = try desk.service.facts(of: paths.reversed() + [desk.collection.path + "/999"])
        #expect(facts.map(\.path) == [paths[2], paths[0]])
        #expect(facts.map(\.label) == ["Label 2", "Label 0"])
        #expect(facts.allSatisfy { $0.created > 1_600_000_000 && $0.modified >= $0.created })
    }

    @Test func `a description is replaced and the secret stays`() throws {
        let desk = try Desk()
        // To an item without a schema GNOME Keyring adds its own, now and then between two calls.
        let path = try desk.create("s", ["xdg:schema": "s", "old": "x"], label: "Old")
        let attributes = ["xdg:schema": "s", "new": "y"]
        try desk.service.describe(path, label: "New", attributes: attributes)
        let facts = try #require(try desk.service.facts(of: [path]).first)
        #expect(facts.label == "New" && facts.attributes == attributes)
        #expect(try desk.text(of: path) == "s")
        #expect(try desk.service.find(["old": "x"]) == FoundItems())
    }

    @Test func `what is gone is no error to remove or to read, and one to change`() throws {
        let desk = try Desk()
        let path = try desk.create("s", ["a": "b"])
        let stays = try desk.create("t", ["a": "b"])
        try desk.service.delete(path)
        try desk.service.delete(path)
        #expect(try desk.text(of: path) == nil)
        #expect(try desk.texts(of: [path, stays]) == [stays: "t"])
        #expect(throws: StoreError.notFound) { try desk.service.setSecret(desk.secret("u"), of: path) }
        #expect(throws: StoreError.notFound) {
            try desk.service.describe(path, label: "x", attributes: [:])
        }
        #expect(throws: StoreError.noSuchCollection) {
            try desk.service.create(
                ItemDraft(label: "x", attributes: [:], secret: desk.secret("x")),
                in: "/org/freedesktop/secrets/collection/nowhere"
            )
        }
    }

    @Test func `an error in the visit ends it`() throws {
        let desk = try Desk()
        let paths = try (0..<3).map { try desk.create("s", ["n": "\($0)"]) }
        var visits = 0
        #expect(throws: StoreError.conflict) {
            try desk.service.eachSecret(of: paths) { _, _ throws(StoreError) in
                visits += 1
                throw .conflict
            }
        }
        #expect(visits == 1)
    }
}
