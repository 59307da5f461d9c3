import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// Items that somebody else made, changed, copied or left half done.
@Suite struct StoreDamageTests {
    /// A vault whose records of the kinds `a` and `z` lie in pages of their own, and a long one and a few in the root.
    private func vault() throws -> (StoreScratchKeyring, SecretServiceStore) {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        var changes = ChangeSet(floor: 0)
        for kind in ["a", "z"] {
            for number in 0..<4 {
                let body = try Secret(copying: Array(repeating: UInt8(number), count: 7_500))
                changes.put(RecordDraft(id: try RecordID(kind, "\(number)"), body: body), expecting: 0)
            }
        }
        try store.commit(changes)
        try store.put(RecordID("n", "long"), String(repeating: "x", count: 9_000))
        try store.put(RecordID("n", "a"), "note", label: "L", attributes: Attributes(["host": "h"]))
        try store.put(RecordID("password", "p"), "word", attributes: Attributes(["user": "me"]))
        return (vault, store)
    }

    private func list(_ store: any Store, _ kind: String? = nil) throws -> [String] {
        let kind = try kind.map { try RecordKind($0) }
        return try store.read { reader throws(StoreError) in try reader.list(kind) }.map(\.id.description)
    }

    /// The page that holds the records of a kind.
    private func page(_ vault: StoreScratchKeyring, _ kind: String) throws -> ItemPath {
        let header = try #require(vault.items("Header").first)
        let root = try #require(
            try header.item.secret.withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
        let hex = try #require(root.pages.first { $0.first.kind.rawValue == kind }).reference.id.hex
        return try #require(vault.items("Page").first { $0.item.attributes["page"] == hex }).path
    }

    /// The page of the long body.
    private func longBody(_ vault: StoreScratchKeyring, _ store: SecretServiceStore) throws -> ItemPath {
        let records = [try page(vault, "a"), try page(vault, "z")]
        return try #require(vault.items("Page").first { !records.contains($0.path) }).path
    }

    @Test func `a person finds a password by name, another program by attributes`() throws {
        let (vault, store) = try vault()
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
        let (vault, store) = try vault()
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
        let (vault, store) = try vault()
        let path = try #require(vault.items("Secret").first).path
        let id = try RecordID("password", "p")
        let changes: [(inout StoreFakeService.Item) -> Void] = [
            { $0.secret = Array("changed".utf8) }, { $0.secret = [] }, { $0.label = "theirs" },
            { $0.attributes["user"] = "you" }, { $0.attributes["more"] = "x" },
        ]
        for change in changes {
            vault.service.tamper { items in if var item = items[path] { change(&item); items[path] = item } }
            #expect(try store.text(id) == "word")
            #expect(try store.verify().differing == [id])
            #expect(try store.publishCopies() == 1)
            #expect(try store.verify().differing.isEmpty)
        }
        vault.service.tamper { $0[path] = nil }
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
        let (vault, store) = try vault()
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

    @Test(arguments: ["", "x", "hsip-page:2", "hsip-page:2 AA== AA==", "hsip-page:3 x", "hsip-vault:2 a b c"])
    func `a page that is none is damage of its records, and of no others`(text: String) throws {
        let (vault, store) = try vault()
        let path = try page(vault, "a")
        vault.service.tamper { $0[path]?.secret = Array(text.utf8) }
        try checkDamage(store)
    }

    @Test func `one changed byte of a page is damage`() throws {
        let (vault, store) = try vault()
        let path = try page(vault, "a")
        let secret = try #require(vault.service.items[path]?.secret)
        for index in stride(from: 0, to: secret.count, by: 997) {
            vault.service.tamper { $0[path]?.secret[index] ^= 1 }
            #expect(throws: StoreError.tampered(.record(DamagedRecord(try RecordID("a", "0"), part: .body))))
            {
                try store.text(RecordID("a", "0"))
            }
            vault.service.tamper { $0[path]?.secret = secret }
        }
        #expect(try list(store).count == 11)
    }

    @Test(arguments: [false, true])
    func `a page under another's name, or gone, is damage`(isGone: Bool) throws {
        let (vault, store) = try vault()
        let (one, two) = (try page(vault, "a"), try page(vault, "z"))
        let other = vault.service.items[two]
        vault.service.tamper { $0[one]?.secret = other?.secret ?? [] }
        if isGone { vault.service.tamper { $0[one] = nil } }
        try checkDamage(store)
    }

    @Test func `a page of an older state is damage, also under the name of the present one`() throws {
        let (vault, store) = try vault()
        let old = try #require(vault.service.items[try page(vault, "a")]).secret
        for number in 0..<4 {
            try store.put(RecordID("a", "\(number)"), String(repeating: "n", count: 7_400))
        }
        let path = try page(vault, "a")
        #expect(vault.service.items[path]?.secret != old)
        vault.service.tamper { $0[path]?.secret = old }
        #expect(throws: StoreError.self) { try store.verify() }
        #expect(try store.inspect().damaged.isEmpty == false)
    }

    /// The records of kind `a` cannot be read; all else goes on, until they are set aside.
    private func checkDamage(_ store: SecretServiceStore) throws {
        let id = try RecordID("a", "0")
        let damaged = StoreError.tampered(.record(DamagedRecord(id, part: .body)))
        #expect(throws: damaged) { try store.text(id) }
        #expect(throws: damaged) { try store.put(id, "x") }
        #expect(throws: damaged) { try list(store) }
        #expect(throws: damaged) { try list(store, "a") }
        #expect(throws: damaged) { try store.verify() }
        #expect(try list(store, "z").count == 4 && list(store, "n") == ["n/a", "n/long"])
        try store.put(RecordID("m", "new"), "new")
        // Also when there is so much of it that pages are made anew.
        for number in 0..<5 {
            try store.put(RecordID("zz", "\(number)"), String(repeating: "y", count: 7_000))
        }
        let survey = try store.read { reader throws(StoreError) in try reader.survey(nil) }
        #expect(survey.records.count == 13)
        #expect(survey.damaged.map(\.name) == ["0", "3", nil])
        #expect(try store.inspect().damaged == survey.damaged)
        #expect(try store.setAside() > 0)
        #expect(try store.verify().records == 13 && store.verify().strays.isEmpty)
        #expect(try store.text(id) == nil)
        try store.put(id, "again")
        #expect(try store.text(id) == "again" && store.status().records == 14)
    }

    @Test func `a long body that is gone is damage of its record alone`() throws {
        let (vault, store) = try vault()
        let path = try longBody(vault, store)
        vault.service.tamper { $0[path] = nil }
        let id = try RecordID("n", "long")
        let damaged = DamagedRecord(id, part: .body)
        #expect(throws: StoreError.tampered(.record(damaged))) { try store.text(id) }
        #expect(try list(store).count == 11)
        #expect(try store.inspect().damaged == [damaged])
        #expect(throws: StoreError.tampered(.record(damaged))) { try store.verify() }
        #expect(try store.setAside() == 1)
        #expect(try store.verify().records == 10 && store.text(id) == nil)
    }

    @Test func `items of other programs block nothing, are named, and are set aside on request`() throws {
        let (vault, store) = try vault()
        let base = ["vault": Hex.encode(store.vaultID), "kind": "n", "name": "a"]
        var paths: [ItemPath] = []
        for schema in ["Page", "Header", "Record", "Redo"] {
            let own = base.merging(["xdg:schema": "io.hsip.vault." + schema]) { $1 }
            paths.append(vault.service.plant(own, "junk", label: "Theirs \(schema)"))
        }
        vault.service.plant(["xdg:schema": "org.example", "kind": "n", "name": "a"], "foreign")
        try vault.logOut()
        let fresh = try vault.open(store.vaultID)
        #expect(try list(fresh).count == 11 && fresh.text(RecordID("n", "a")) == "note")
        try fresh.put(RecordID("n", "b"), "new")
        #expect(
            try fresh.verify().strays.sorted() == ["Header", "Page", "Record", "Redo"].map { "Theirs \($0)" }
        )
        #expect(try fresh.setAside() == 4)
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
        let (vault, store) = try vault()
        let header = try #require(vault.items("Header").first)
        let root = try #require(
            try header.item.secret.withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
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

    @Test func `a page that is emptied is damage and no leftover`() throws {
        let (vault, store) = try vault()
        let path = try page(vault, "a")
        vault.service.tamper { $0[path]?.secret = [] }
        try vault.logOut()
        _ = try vault.open(store.vaultID)
        #expect(vault.service.items[path] != nil)
        #expect(try vault.open(store.vaultID).inspect().damaged.count == 3)
    }

    @Test func `a record of a later version is listed, not touched, and kept byte for byte`() throws {
        let (vault, store) = try vault()
        let header = try #require(vault.items("Header").first)
        var root = try #require(
            try header.item.secret.withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
        let id = try RecordID("n", "a")
        let record = try #require(root.recent[id]?.record)
        var meta = record.meta
        meta[0] = 2
        meta += [1, 2, 3]
        root.recent[id] = .record(StoredRecord(info: record.info, meta: meta, body: record.body))
        let text = try root.text().withBytes { $0.copied() }
        vault.service.tamper { $0[header.path]?.secret = text }
        #expect(throws: StoreError.newerRecord) { try store.text(id) }
        #expect(throws: StoreError.newerRecord) { try store.put(id, "x") }
        let delete = ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)])
        #expect(throws: StoreError.newerRecord) { try store.commit(delete) }
        for number in 0..<5 {
            try store.put(RecordID("zz", "\(number)"), String(repeating: "y", count: 7_000))
        }
        let infos = try store.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(infos.first { $0.id == id }?.isNewer == true)
        let (again, items) = (try store.reading { $0.root }, store.items)
        #expect(again.recent[id] == nil)
        #expect(try items.record(id, again)?.meta == meta)
    }

    @Test func `a root is there once, whole, and of this vault`() throws {
        let (vault, store) = try vault()
        let header = try #require(vault.items("Header").first)
        func open(_ change: (inout [ItemPath: StoreFakeService.Item]) -> Void) throws {
            let before = vault.service.items
            defer { vault.service.restore(before) }
            vault.service.tamper(change)
            #expect(try vault.open(store.vaultID).text(RecordID("n", "a")) == "note")
        }
        let copy = StoreFakeService.collection + "/copy"
        // A copy that was never finished.
        try open { items in
            items[copy] = header.item
            items[copy]?.secret = []
        }
        #expect(throws: StoreError.tampered(.head)) { try open { $0[copy] = header.item } }
        #expect(throws: StoreError.notFound) { try open { $0[header.path] = nil } }
        #expect(throws: StoreError.notFound) { try open { $0[header.path]?.secret = [] } }
        let text = String(decoding: header.item.secret, as: UTF8.self)
        let fields = text.split(separator: " ").map(String.init)
        let swapped = [fields[0], fields[1], fields[2], fields[1]].joined(separator: " ")
        for text in [
            "x", text + " ", " " + text, String(text.dropLast()), "hsip-vault:02" + text.dropFirst(12),
            swapped,
        ] {
            #expect(throws: StoreError.tampered(.head), "\(text.prefix(20))") {
                try open { $0[header.path]?.secret = Array(text.utf8) }
            }
        }
        for index in stride(from: 12, to: header.item.secret.count, by: 401) {
            #expect(throws: StoreError.tampered(.head)) { try open { $0[header.path]?.secret[index] ^= 1 } }
        }
        #expect(throws: StoreError.newerFormat(found: 3, supported: 2)) {
            try open { $0[header.path]?.secret = Array("hsip-vault:3 anything".utf8) }
        }
    }

    @Test func `a generation at the end of all numbers stops commits, not the program`() throws {
        let (vault, store) = try vault()
        let header = try #require(vault.items("Header").first)
        var root = try #require(
            try header.item.secret.withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
        root.generation = Root.lastGeneration
        let text = try root.text().withBytes { $0.copied() }
        vault.service.tamper { $0[header.path]?.secret = text }
        let fresh = try vault.open(store.vaultID)
        #expect(try fresh.text(RecordID("n", "a")) == "note")
        #expect(throws: StoreError.tampered(.head)) { try fresh.put(RecordID("n", "a"), "x") }
        #expect(throws: StoreError.tampered(.head)) { try fresh.acceptRollback() }
    }

    @Test func `a count that is not that of the records is noticed`() throws {
        let (vault, store) = try vault()
        let header = try #require(vault.items("Header").first)
        var root = try #require(
            try header.item.secret.withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
        root.records += 1
        let text = try root.text().withBytes { $0.copied() }
        vault.service.tamper { $0[header.path]?.secret = text }
        #expect(throws: StoreError.tampered(.head)) { try store.verify() }
    }
}
