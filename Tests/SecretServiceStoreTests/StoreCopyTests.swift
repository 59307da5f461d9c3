import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// What other programs find of passwords, and what they make of it.
@Suite struct StoreCopyTests {
    @Test func `a person finds a password by name, another program by attributes`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let copies = vault.items("Secret").map(\.item)
        #expect(copies.map(\.label) == ["p"])
        #expect(
            copies.first?.attributes == [
                "xdg:schema": "io.hsip.vault.Secret", "vault": Hex.encode(store.vaultID), "kind": "password",
                "name": "p", "user": "me",
            ]
        )
        #expect(copies.first.map { String(decoding: $0.secret, as: UTF8.self) } == "word")
        #expect(vault.items("Header").map(\.item.label) == ["HSIP vault home"])
        #expect(vault.items("Page").allSatisfy { $0.item.label == "HSIP vault, records" })
        #expect(vault.items("Page").count == 3)
    }

    @Test func `names of attributes cannot take the place of the store's own`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let attributes = try Attributes(
            [
                "vault": "v", "kind": "k", "name": "n", "page": "f", "xdg:schema": "s", "hsip:x": "m",
                "a\0": "x",
            ]
        )
        let id = try RecordID("password", "odd")
        try store.put(id, "x", attributes: attributes)
        #expect(try store.read { reader throws(StoreError) in try reader.info(id) }?.attributes == attributes)
        let item = try #require(vault.items("Secret").last).item
        #expect(item.attributes.count == 4 && item.attributes["name"] == "odd")
    }

    @Test func `what another program makes of a copy changes nothing, is told, and is set right`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let id = try RecordID("password", "p")
        let changes: [(inout StoreFakeService.Item) -> Void] = [
            { $0.secret = Array("changed".utf8) }, { $0.secret = [] }, { $0.label = "theirs" },
            { $0.attributes["user"] = "you" }, { $0.attributes["more"] = "x" },
            { $0.attributes["xdg:schema"] = "org.freedesktop.Secret.Generic" },
        ]
        var path: ItemPath { get throws { try #require(vault.items("Secret").first).path } }
        for change in changes {
            let path = try path
            vault.service.tamper { items in if var item = items[path] { change(&item); items[path] = item } }
            #expect(try store.text(id) == "word")
            #expect(try store.verify().differing == [id])
            #expect(try store.publishCopies() == 1)
            #expect(try store.verify().differing.isEmpty)
        }
        let last = try path
        vault.service.tamper { $0[last] = nil }
        #expect(try store.verify().unpublished == 1)
        #expect(try store.publishCopies() == 1)
        vault.service.plant(
            [
                "xdg:schema": "io.hsip.vault.Secret", "vault": Hex.encode(store.vaultID), "kind": "password",
                "name": "nobody",
            ],
            "x"
        )
        #expect(try store.verify().differing == [RecordID("password", "nobody")])
        #expect(try store.publishCopies() == 1)
        let report = try store.verify()
        #expect(report.differing.isEmpty && report.unpublished == 0 && vault.items("Secret").count == 1)
    }

    @Test func `an import makes no more copies at once than a keyring can take, and doctor makes the rest`()
        throws
    {
        let (vault, store) = try StoreScratchKeyring.filled()
        var changes = ChangeSet(floor: 0)
        for number in 0..<65 {
            let draft = RecordDraft(
                id: try RecordID("password", "n\(number)"),
                body: try Secret(copying: [0x78])
            )
            changes.put(draft, expecting: 0)
        }
        try store.put(RecordID("password", "p"), "new")
        let revision = try store.read { r throws(StoreError) in try r.info(RecordID("password", "p")) }?
            .revision
        changes.put(
            RecordDraft(id: try RecordID("password", "p"), body: try Secret(copying: [0x79])),
            expecting: try #require(revision)
        )
        let writes = vault.service.writes
        try store.commit(changes)
        #expect(vault.service.writes - writes < 12)
        // What has a copy is never left behind.
        #expect(vault.items("Secret").map(\.item.secret) == [[0x79]])
        #expect(try store.verify().unpublished == 65)
        try store.put(RecordID("password", "n3"), "z")
        #expect(try store.verify().unpublished == 64)
        #expect(try store.publishCopies() == 64)
        #expect(try store.verify().unpublished == 0 && vault.items("Secret").count == 66)
    }
}
