import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// Items that other programs made, and what an interrupted commit left.
@Suite struct StoreStrayTests {
    @Test func `items of other programs block nothing, are named, and are set aside on request`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let base = ["vault": Hex.encode(store.vaultID), "kind": "n", "name": "a"]
        var paths: [ItemPath] = []
        for schema in ["Page", "Header"] {
            let own = base.merging(["xdg:schema": "io.hsip.vault." + schema]) { $1 }
            paths.append(vault.service.plant(own, "junk", label: "Theirs \(schema)"))
        }
        vault.service.plant(["xdg:schema": "org.example", "kind": "n", "name": "a"], "foreign")
        try vault.logOut()
        let fresh = try vault.open(store.vaultID)
        #expect(try fresh.ids().count == 11 && fresh.text(RecordID("n", "a")) == "note")
        try fresh.put(RecordID("n", "b"), "new")
        #expect(try fresh.verify().strays.sorted() == ["Theirs Header", "Theirs Page"])
        #expect(try fresh.setAside() == 2)
        #expect(try fresh.verify().strays.isEmpty)
        for path in paths {
            let item = try #require(vault.service.items[path])
            #expect(item.secret == Array("junk".utf8) && item.label.hasPrefix("Theirs"))
            #expect(item.attributes["xdg:schema"] == "io.hsip.vault.Aside" && item.attributes["vault"] == nil)
            #expect(item.attributes["aside"] == Hex.encode(store.vaultID) && item.attributes["name"] == "a")
        }
        try vault.logOut()
        #expect(try vault.open(store.vaultID).text(RecordID("n", "b")) == "new")
    }

    @Test func `leftovers of an interrupted commit go with the next opening for writing, and that is told`()
        throws
    {
        let (vault, store) = try StoreScratchKeyring.filled()
        let root = try vault.root()
        let draft = try Page.draft(body: Secret(copying: [1, 2, 3]), root.keys, .system)
        let other = try Page.draft(body: Secret(copying: [1, 2, 3]), MarkKeys.make(.system), .system)
        let base = ["xdg:schema": "io.hsip.vault.Page", "vault": Hex.encode(store.vaultID)]
        func plant(_ draft: Page.Draft, _ secret: String? = nil) -> ItemPath {
            let text = secret ?? draft.text.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
            return vault.service.plant(base.merging(["page": draft.reference.id.hex]) { $1 }, text)
        }
        let (ours, foreign, empty) = (plant(draft), plant(other), plant(draft, ""))
        try vault.logOut()
        let fresh = try vault.open(store.vaultID)
        #expect(fresh.cleanedUp == 2)
        #expect(vault.service.items[ours] == nil && vault.service.items[empty] == nil)
        #expect(vault.service.items[foreign] != nil)
        #expect(try fresh.verify().records == 11)
        try vault.logOut()
        #expect(try vault.open(store.vaultID).cleanedUp == 0)
    }
}
