import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// Items that somebody else made, changed, copied or left half done.
@Suite struct StoreDamageTests {
    private static let tampered: @Sendable (any Error) -> Bool = { error in
        if case StoreError.tampered(.record)? = error as? StoreError { true } else { false }
    }

    private func vault() throws -> (StoreScratchKeyring, SecretServiceStore) {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(RecordID("n", "a"), "note", label: "L", attributes: Attributes(["host": "h"]))
        try store.put(RecordID("password", "p"), "word", attributes: Attributes(["user": "me"]))
        return (vault, store)
    }

    private func path(_ vault: StoreScratchKeyring, _ name: String) throws -> ItemPath {
        try #require(vault.items("Record").first { $0.item.attributes["name"] == name }).path
    }

    @Test func `a person finds the records by name, another program by attributes`() throws {
        let (vault, store) = try vault()
        let items = vault.items("Record").map(\.item)
        #expect(items.map(\.label) == ["L", "HSIP password/p"])
        let id = Hex.encode(store.vaultID)
        #expect(
            items[0].attributes == [
                "xdg:schema": "io.hsip.vault.Record", "vault": id, "kind": "n", "name": "a",
                "form": "record", "host": "h",
            ]
        )
        #expect(String(decoding: items[1].secret, as: UTF8.self) == "word")
        #expect(items[1].attributes["user"] == "me" && items[1].attributes["form"] == "plain")
        #expect(vault.items("Header").map(\.item.label) == ["HSIP vault home"])
    }

    @Test func `names of attributes cannot take the place of the store's own`() throws {
        let (vault, store) = try vault()
        let attributes = try Attributes(
            [
                "vault": "v", "kind": "k", "name": "n", "form": "f", "xdg:schema": "s", "hsip:meta": "m",
                "a\0": "x",
            ]
        )
        for kind in ["n", "password"] {
            let id = try RecordID(kind, "odd")
            try store.put(id, "x", attributes: attributes)
            #expect(
                try store.read { reader throws(StoreError) in try reader.info(id) }?.attributes == attributes
            )
            let item = try #require(vault.service.items[try path(vault, "odd")])
            #expect(item.attributes["kind"] == kind && item.attributes["a\0"] == nil)
            try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
        }
    }

    @Test func `label and attributes of a record's item are copies only`() throws {
        let (vault, store) = try vault()
        let path = try path(vault, "a")
        vault.service.tamper { items in
            items[path]?.label = "renamed"
            items[path]?.attributes["host"] = "other"
            items[path]?.attributes["more"] = "other"
        }
        let info = try store.read { reader throws(StoreError) in
            try reader.list(RecordKind("n"), where: Attributes(["host": "h"]))
        }.first
        #expect(info?.label == "L" && info?.attributes["more"] == nil)
    }

    @Test(arguments: ["kind", "name", "vault", "form"])
    func `an item under another record's name is refused`(attribute: String) throws {
        let (vault, store) = try vault()
        let path = try path(vault, "a")
        vault.service.tamper { $0[path]?.attributes[attribute] = "b" }
        switch attribute {
        case "vault": #expect(try store.verify().records == 1)
        case "form":
            #expect(throws: StoreError.newerRecord) { try store.verify() }
            #expect(throws: StoreError.newerRecord) {
                try store.read { r throws(StoreError) in try r.list(nil) }
            }
        default:
            #expect(performing: { try store.verify() }, throws: Self.tampered)
            let id = try attribute == "kind" ? RecordID("b", "a") : RecordID("n", "b")
            #expect(performing: { try store.text(id) }, throws: Self.tampered)
        }
    }

    @Test(arguments: [
        "x", "hsip:1:", "hsip:1::", "hsip:2:AQ==:", "hsip:1:AQ==:AQ==", "hsip:1:AQ==", "hsip:1:&&&&:AQ==",
    ])
    func `a secret that is no record is refused`(text: String) throws {
        let (vault, store) = try vault()
        let path = try path(vault, "a")
        vault.service.tamper { $0[path]?.secret = Array(text.utf8) }
        #expect(performing: { try store.text(RecordID("n", "a")) }, throws: Self.tampered)
        #expect(performing: { try store.verify() }, throws: Self.tampered)
        #expect(
            performing: { try store.read { reader throws(StoreError) in try reader.list(nil) } },
            throws: Self.tampered
        )
        // The others can still be read.
        #expect(try store.text(RecordID("password", "p")) == "word")
    }

    @Test func `one changed byte of a secret gives a record or a refusal, never more`() throws {
        let (vault, store) = try vault()
        let path = try path(vault, "a")
        let secret = try #require(vault.service.items[path]?.secret)
        var ends = (read: 0, refused: 0)
        for index in secret.indices {
            for value: UInt8 in [0x00, 0x2F, 0x3A, 0x3D, 0x41, 0xFF] {
                vault.service.tamper { items in
                    items[path]?.secret = secret
                    items[path]?.secret[index] = value
                }
                do {
                    _ = try store.text(RecordID("n", "a"))
                    ends.read += 1
                } catch {
                    #expect(Self.tampered(error) || error as? StoreError == .newerRecord)
                    ends.refused += 1
                }
            }
        }
        #expect(ends.read > 0 && ends.refused > 0)
    }

    @Test func `a body that is no base64 is refused when it is asked for`() throws {
        let (vault, store) = try vault()
        let path = try path(vault, "a")
        vault.service.tamper { $0[path]?.secret.append(0x21) }
        #expect(performing: { try store.text(RecordID("n", "a")) }, throws: Self.tampered)
        #expect(performing: { try store.verify() }, throws: Self.tampered)
    }

    @Test func `another program that changes the secret of a password changes its body and nothing else`()
        throws
    {
        let (vault, store) = try vault()
        let id = try RecordID("password", "p")
        let before = try store.read { reader throws(StoreError) in try reader.info(id) }
        let path = try path(vault, "p")
        vault.service.tamper { $0[path]?.secret = Array("changed".utf8) }
        #expect(try store.text(id) == "changed")
        #expect(try store.read { reader throws(StoreError) in try reader.info(id) } == before)
        vault.service.tamper { $0[path]?.attributes["hsip:meta"] = "AQ==" }
        #expect(performing: { try store.text(id) }, throws: Self.tampered)
        vault.service.tamper { $0[path]?.attributes["hsip:meta"] = nil }
        #expect(performing: { try store.text(id) }, throws: Self.tampered)
    }

    @Test func `a password that another program wrote is a record, and is taken over when written`() throws {
        let (vault, store) = try vault()
        let attributes = [
            "xdg:schema": "io.hsip.vault.Record", "vault": Hex.encode(store.vaultID), "kind": "password",
            "name": "q", "user": "you", "hsip:odd": "x",
        ]
        vault.service.plant(attributes, "theirs", label: "Theirs")
        let id = try RecordID("password", "q")
        let record = try #require(try store.read { reader throws(StoreError) in try reader.find(id) })
        #expect(record.info.revision == 1 && record.info.label == "Theirs" && record.info.uid.count == 16)
        #expect(record.info.created == record.info.modified && record.info.created > 1_800_000_000_000)
        // What the provider adds is seen, what is reserved is not.
        #expect(record.info.attributes.all.map(\.name) == ["Path", "user"])
        #expect(try store.text(id) == "theirs")
        let report = try store.verify()
        #expect(report.records == 3 && report.foreign == 1)
        let names = try store.read { reader throws(StoreError) in try reader.list(RecordKind("password")) }
        #expect(names.map(\.id.name) == ["p", "q"])

        var changes = ChangeSet(floor: 0)
        changes.put(RecordDraft(id: id, body: try Secret(copying: [0x61])), expecting: 1)
        try store.commit(changes)
        #expect(try store.text(id) == "a")
        #expect(try store.verify().foreign == 0 && vault.items("Record").count == 3)
        #expect(try store.read { r throws(StoreError) in try r.info(id) }?.uid == record.info.uid)
    }

    @Test func `what another program wrote beside a record is never thrown away unseen`() throws {
        let (vault, store) = try vault()
        let id = try RecordID("password", "p")
        let attributes = [
            "xdg:schema": "io.hsip.vault.Record", "vault": Hex.encode(store.vaultID), "kind": "password",
            "name": "p",
        ]
        let path = vault.service.plant(attributes, "theirs")
        #expect(try store.text(id) == "word")
        #expect(try store.verify().foreign == 1)
        try store.put(id, "word two")
        try vault.logOut()
        #expect(try vault.open(store.vaultID).text(id) == "word two")
        #expect(vault.service.items[path] != nil)
        // Who deletes the record means all of it.
        try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
        #expect(vault.service.items[path] == nil)
        #expect(try store.text(id) == nil)
    }

    @Test func `items of other kinds, names and vaults that nobody understands are left alone`() throws {
        let (vault, store) = try vault()
        let id = Hex.encode(store.vaultID)
        let base = ["xdg:schema": "io.hsip.vault.Record", "vault": id, "kind": "password"]
        vault.service.plant(base, "no name")
        vault.service.plant(base.merging(["name": " padded"]) { $1 }, "no valid name")
        vault.service.plant(["xdg:schema": "org.example", "kind": "n", "name": "a"], "foreign")
        try vault.logOut()
        #expect(try vault.open(store.vaultID).verify().records == 2)
        #expect(vault.service.items.count == 2 + 2 + 3)
        vault.service.plant(base.merging(["kind": "n", "name": "b"]) { $1 }, "no record")
        let report = try store.verify()
        #expect(report.records == 2 && report.strays.count == 3)
    }

    @Test func `an item of another program blocks nothing but its own name`() throws {
        let (vault, store) = try vault()
        let base = ["xdg:schema": "io.hsip.vault.Record", "vault": Hex.encode(store.vaultID), "kind": "n"]
        let path = vault.service.plant(base.merging(["name": "x"]) { $1 }, "junk", label: "Theirs")
        let extra = vault.service.plant(base.merging(["xdg:schema": "io.hsip.vault.Header"]) { $1 }, "junk")
        let other = vault.service.plant(base.merging(["xdg:schema": "io.hsip.vault.Redo"]) { $1 }, "junk")
        try vault.logOut()
        let fresh = try vault.open(store.vaultID)
        let list = try fresh.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(list.map(\.id.description) == ["n/a", "password/p"])
        #expect(try fresh.text(RecordID("n", "a")) == "note")
        try fresh.put(RecordID("n", "b"), "new")
        #expect(try fresh.verify().strays.count == 3)
        // It may be what is left of a record, so the name is not free.
        let id = try RecordID("n", "x")
        let damaged = StoreError.tampered(.record(DamagedRecord(id, part: .body)))
        #expect(throws: damaged) { try fresh.text(id) }
        #expect(throws: damaged) { try fresh.put(id, "x") }

        #expect(try fresh.setAside() == 3)
        #expect(try fresh.text(id) == nil && fresh.verify().strays.isEmpty)
        for path in [path, extra, other] {
            let item = try #require(vault.service.items[path])
            #expect(item.secret == Array("junk".utf8))
            #expect(item.attributes["xdg:schema"] == "io.hsip.vault.Aside")
            #expect(item.attributes["vault"] == nil)
            #expect(item.attributes["aside"] == Hex.encode(store.vaultID))
        }
        #expect(vault.service.items[path]?.label == "Theirs")
        #expect(vault.service.items[path]?.attributes["name"] == "x")
        try vault.logOut()
        #expect(try vault.open(store.vaultID).text(RecordID("n", "b")) == "new")
    }

    @Test func `a damaged record is named, and the others are read and written`() throws {
        let (vault, store) = try vault()
        let (id, path) = (try RecordID("n", "a"), try path(vault, "a"))
        vault.service.tamper { $0[path]?.secret = Array("hsip:1:AQ==:AQ==".utf8) }
        let damaged = DamagedRecord(id, part: .body)
        try vault.logOut()
        let fresh = try vault.open(store.vaultID)
        #expect(throws: StoreError.tampered(.record(damaged))) { try fresh.text(id) }
        #expect(throws: StoreError.tampered(.record(damaged))) { try fresh.put(id, "x") }
        #expect(try fresh.text(RecordID("password", "p")) == "word")
        try fresh.put(RecordID("m", "b"), "new")
        try fresh.read { reader throws(StoreError) in
            #expect(throws: StoreError.tampered(.record(damaged))) { try reader.list(nil) }
            #expect(throws: StoreError.tampered(.record(damaged))) { try reader.list(RecordKind("n")) }
            #expect(try reader.list(RecordKind("password")).count == 1)
            let survey = try reader.survey(nil)
            #expect(survey.records.map(\.id.description) == ["m/b", "password/p"])
            #expect(survey.damaged == [damaged])
            #expect(try reader.survey(RecordKind("password")).damaged.isEmpty)
        }
        #expect(try fresh.status().records == 2)
        #expect(throws: StoreError.tampered(.record(damaged))) { try fresh.verify() }
        #expect(try fresh.inspect().damaged == [damaged])
        #expect(try fresh.setAside() == 1)
        #expect(try fresh.verify().records == 2 && fresh.text(id) == nil)
        #expect(vault.service.items[path]?.secret == Array("hsip:1:AQ==:AQ==".utf8))
    }

    @Test func `of two items the one with the higher revision counts`() throws {
        let (vault, store) = try vault()
        for (kind, name) in [("n", "a"), ("password", "p")] {
            let id = try RecordID(kind, name)
            let old = try #require(vault.service.items[try path(vault, name)])
            try store.put(id, "newer")
            let paths = ["\(StoreFakeService.collection)/0", "\(StoreFakeService.collection)/z"]
            for path in paths { vault.service.tamper { $0[path] = old } }
            #expect(try store.text(id) == "newer")
            #expect(try store.verify().records == 2)
            if kind == "n" {
                try store.put(id, "newest")
            } else {
                try vault.logOut()
                #expect(try vault.open(store.vaultID).text(id) == "newer")
            }
            #expect(paths.allSatisfy { vault.service.items[$0] == nil })
            #expect(vault.items("Record").count == 2)
        }
    }

    @Test func `a record that two items hold is deleted with both`() throws {
        let (vault, store) = try vault()
        let item = try #require(vault.service.items[try path(vault, "a")])
        vault.service.tamper { $0[StoreFakeService.collection + "/0"] = item }
        #expect(try store.text(RecordID("n", "a")) == "note")
        try store.commit(ChangeSet(floor: 0, changes: [.delete(try RecordID("n", "a"), expecting: nil)]))
        #expect(try store.text(RecordID("n", "a")) == nil)
    }

    @Test func `items that were never finished are no records, and go with the next opening`() throws {
        let (vault, store) = try vault()
        for name in ["a", "p"] {
            let item = try #require(vault.service.items[try path(vault, name)])
            vault.service.tamper { items in
                items["\(StoreFakeService.collection)/half\(name)"] = item
                items["\(StoreFakeService.collection)/half\(name)"]?.secret = []
                items["\(StoreFakeService.collection)/half\(name)"]?.attributes["name"] = "half"
            }
        }
        #expect(try store.text(RecordID("n", "half")) == nil)
        #expect(try store.read { reader throws(StoreError) in try reader.list(RecordKind("n")) }.count == 1)
        try vault.logOut()
        #expect(vault.items("Record").count == 4)
        _ = try vault.open(store.vaultID)
        #expect(vault.items("Record").count == 2)
    }

    @Test func `a revision that no commit had is refused`() throws {
        let (vault, store) = try vault()
        let record = try #require(try store.read { r throws(StoreError) in try r.find(RecordID("n", "a")) })
        let info = RecordInfo(
            id: record.info.id,
            revision: 1_025,
            uid: record.info.uid,
            created: 1,
            modified: 1,
            expires: 0,
            label: "",
            attributes: .none,
            predatesRestore: false
        )
        let (path, text) = (try path(vault, "a"), try RecordText.encode(info, record.body))
        vault.service.tamper { $0[path]?.secret = text.withBytes { $0.copied() } }
        #expect(performing: { try store.text(info.id) }, throws: Self.tampered)
        // Who takes the vault as it is gets a number above it.
        try store.acceptRollback()
        #expect(try store.text(info.id) == "note" && store.read { $0.floor } == 1_026)
    }

    @Test(arguments: ["n", "password"], [(0, UInt8(2)), (1, 2)])
    func `a record of a later version is listed, and not touched`(kind: String, change: (Int, UInt8)) throws {
        let (vault, store) = try vault()
        let name = kind == "n" ? "a" : "p"
        let (id, path) = (try RecordID(kind, name), try path(vault, name))
        let info = try #require(try store.read { reader throws(StoreError) in try reader.info(id) })
        var meta = MetaContent.encode(info)
        meta[change.0] = change.1
        if change.0 == 0 { meta += [1, 2, 3] }
        let text = StrictBase64.encode(meta)
        vault.service.tamper { items in
            if kind == "n" {
                items[path]?.secret = Array("hsip:1:\(text):whatever".utf8)
            } else {
                items[path]?.attributes["hsip:meta"] = text
            }
        }
        #expect(throws: StoreError.newerRecord) { try store.text(id) }
        #expect(throws: StoreError.newerRecord) { try store.put(id, "x") }
        let delete = ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)])
        #expect(throws: StoreError.newerRecord) { try store.commit(delete) }
        if change.0 == 0 {
            let list = try store.read { reader throws(StoreError) in try reader.list(nil) }
            #expect(list.count == 2 && list.first { $0.id == id }?.isNewer == true)
            #expect(try store.verify().records == 2)
        }
    }

    @Test func `a header is there once, whole, and of this vault`() throws {
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
        var wrong = [
            "x", text + " ", text + " 1", String(text.dropLast()), "hsip-vault:0" + text.dropFirst(12),
        ]
        for (field, value) in [
            (1, String(repeating: "0", count: 32)), (2, "0"), (2, "01"), (2, "4294967296"), (3, "0"),
            (3, "-1"),
            (3, "9223372036854775808"), (3, "18446744073709551615"), (3, "18446744073709551616"), (4, "1025"),
            (5, "00"),
        ] {
            var fields = fields
            fields[field] = value
            wrong.append(fields.joined(separator: " "))
        }
        for text in wrong {
            #expect(throws: StoreError.tampered(.head), "\(text)") {
                try open { $0[header.path]?.secret = Array(text.utf8) }
            }
        }
        #expect(throws: StoreError.newerFormat(found: 2, supported: 1)) {
            try open { $0[header.path]?.secret = Array("hsip-vault:2 anything".utf8) }
        }
    }

    @Test func `a ceiling at the end of all numbers stops commits, not the program`() throws {
        let (vault, store) = try vault()
        let header = try #require(vault.items("Header").first)
        var fields = String(decoding: header.item.secret, as: UTF8.self).split(separator: " ").map(
            String.init
        )
        fields[3] = "9223372036854775807"
        vault.service.tamper { $0[header.path]?.secret = Array(fields.joined(separator: " ").utf8) }
        try vault.logOut()
        let fresh = try vault.open(store.vaultID)
        #expect(try fresh.text(RecordID("n", "a")) == "note")
        #expect(throws: StoreError.tampered(.head)) { try fresh.put(RecordID("n", "a"), "x") }
        #expect(throws: StoreError.tampered(.head)) { try fresh.acceptRollback() }
    }
}
