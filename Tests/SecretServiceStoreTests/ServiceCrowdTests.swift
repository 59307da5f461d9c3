import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

@Suite struct ServiceCrowdTests {
    @Test func `two thousand items of others neither hide ours nor mix with them`() throws {
        let desk = try Desk(ScratchKeyring(foreign: 2_000))
        #expect(desk.collection.label == "Desk")
        let attributes = ["xdg:schema": "io.hsip.vault.Record", "number": "7"]
        let path = try desk.create("ours", attributes)
        #expect(try desk.service.find(attributes).unlocked == [path])
        let others = try desk.service.find(["xdg:schema": "org.example.Foreign"]).unlocked
        #expect(others.count == 2_000)
        #expect(Set(try desk.service.find(["number": "7"]).unlocked).intersection(others).count == 1)
        let texts = try desk.texts(of: others + [path])
        #expect(texts.count == 2_001 && texts[path] == "ours")
        #expect(Set(texts.values).count == 2_001)
    }

    @Test func `long secrets are read although one answer cannot hold them all`() throws {
        let desk = try Desk(
            ScratchKeyring(foreign: 4, foreignLength: 16 << 20, foreignMark: LargeItems.mark)
        )
        let items = try desk.service.find(["xdg:schema": "org.example.Foreign"]).unlocked
        var sizes: [ItemPath: Int] = [:]
        try desk.service.eachSecret(of: items) { path, bytes in sizes[path] = bytes.byteCount }
        #expect(sizes.count == 4 && sizes.values.allSatisfy { $0 > 16 << 20 })
    }

    @Test func `a long secret is marked, however it came to be long, and no one sees the mark`() throws {
        let desk = try Desk()
        let attributes = ["xdg:schema": "s", "a": "b"]
        let long = try Secret(copying: [UInt8](repeating: 7, count: LargeItems.bound + 1))
        let made = try desk.service.create(
            ItemDraft(label: "Made", attributes: attributes, secret: long),
            in: desk.collection.path
        )
        let grown = try desk.create("short", attributes)
        let short = try desk.create("short", attributes)
        try desk.service.setSecret(long, of: grown)
        for item in [made, short] {
            try desk.service.describe(item, label: "Described", attributes: attributes)
        }
        #expect(Set(try desk.service.find([LargeItems.mark: "1"]).unlocked) == [made, grown])
        let facts = try desk.service.facts(of: [made, grown, short])
        #expect(facts.allSatisfy { $0.attributes == attributes })
        var sizes: [ItemPath: Int] = [:]
        try desk.service.eachSecret(of: [made, grown, short]) { sizes[$0] = $1.byteCount }
        #expect(sizes == [made: long.count, grown: long.count, short: 5])
    }

    @Test func `the next question is twice as long unless the answers are`() {
        #expect(LargeItems.next(after: 16, longest: 0) == 32)
        #expect(LargeItems.next(after: 16, longest: 64 << 10) == 32)
        #expect(LargeItems.next(after: 512, longest: 100) == 512)
        #expect(LargeItems.next(after: 64, longest: 1 << 20) == 32)
        #expect(LargeItems.next(after: 64, longest: 48 << 20) == 1)
    }
}
