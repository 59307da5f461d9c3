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
        let desk = try Desk()
        let short = try (0..<3).map { try desk.create("short", ["xdg:schema": "s", "n": "\($0)"]) }
        let zeros = Secret(try SecretBytes(count: 16 << 20))
        let long = try (0..<4).map { number in
            let attributes = ["xdg:schema": "s", "long": "\(number)"]
            let draft = ItemDraft(label: "Long", attributes: attributes, secret: zeros)
            return try desk.service.create(draft, in: desk.collection.path)
        }
        // One that grew later, and one that got another description.
        try desk.service.setSecret(zeros, of: short[0])
        try desk.service.describe(long[0], label: "Longer", attributes: ["xdg:schema": "s", "long": "0"])
        var sizes: [ItemPath: Int] = [:]
        try desk.service.eachSecret(of: short + long) { path, bytes in sizes[path] = bytes.byteCount }
        #expect(sizes.count == 7)
        #expect((long + [short[0]]).allSatisfy { sizes[$0] == 16 << 20 })
        let names = try desk.service.facts(of: [long[0], short[0]]).map(\.attributes)
        #expect(names == [["xdg:schema": "s", "long": "0"], ["xdg:schema": "s", "n": "0"]])
    }

    @Test func `the next question is twice as long unless the answers are`() {
        #expect(LargeItems.next(after: 16, longest: 0) == 32)
        #expect(LargeItems.next(after: 16, longest: 64 << 10) == 32)
        #expect(LargeItems.next(after: 512, longest: 100) == 512)
        #expect(LargeItems.next(after: 64, longest: 1 << 20) == 32)
        #expect(LargeItems.next(after: 64, longest: 48 << 20) == 1)
    }
}
