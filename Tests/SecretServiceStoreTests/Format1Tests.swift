import KeyringFake
import LocalState
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// A vault of format 1 is taken over whole, or stays as it was.
@Suite struct Format1Tests {
    static let vaultID = Array(repeating: UInt8(0x3C), count: 16)
    static let mark = Array(repeating: UInt8(0x77), count: 16)
    private static let base = ["vault": Hex.encode(vaultID)]

    static func info(_ kind: String, _ name: String, _ revision: Revision, uid: UInt8) throws -> RecordInfo {
        RecordInfo(
            id: try RecordID(kind, name),
            revision: revision,
            uid: Array(repeating: uid, count: 16),
            created: 10,
            modified: 20,
            expires: 30,
            label: "label \(name)",
            attributes: try Attributes(["host": name]),
            predatesRestore: revision < 3
        )
    }

    private static func long(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.append(long: bytes)
        return out
    }

    /// Items as the older program wrote them.
    struct Writer {
        let plant: (_ label: String, _ attributes: [String: String], _ secret: String) throws -> Void

        func header(_ text: String? = nil) throws {
            let own = base.merging(["xdg:schema": "io.hsip.vault.Header", "name": "home"]) { $1 }
            let mark = Hex.encode(Format1Tests.mark)
            try plant("HSIP vault home", own, text ?? "hsip-vault:1 \(base["vault"] ?? "") 1 1024 3 \(mark)")
        }

        func redo(_ text: String = "hsip-redo:1 idle") throws {
            let own = base.merging(["xdg:schema": "io.hsip.vault.Redo"]) { $1 }
            try plant("HSIP vault home, change under way", own, text)
        }

        func record(_ info: RecordInfo, _ body: String, form: String? = "record") throws {
            var own = base.merging(["xdg:schema": "io.hsip.vault.Record", "host": info.id.name]) { $1 }
            (own["kind"], own["name"], own["form"]) = (info.id.kind.rawValue, info.id.name, form)
            let meta = StrictBase64.encode(MetaContent.encode(info))
            if form == "plain" { own["hsip:meta"] = meta }
            let text = form == "record" ? "hsip:1:\(meta):\(StrictBase64.encode(Array(body.utf8)))" : body
            try plant(info.label, own, text)
        }

        /// A vault of seven records, one of them replaced and not removed yet.
        func vault() throws {
            try header()
            try redo()
            try record(info("note", "a", 2, uid: 1), "old a")
            try record(info("note", "a", 5, uid: 1), "a")
            try record(info("note", "b", 4, uid: 2), "b")
            try record(info("note", "long", 4, uid: 3), String(repeating: "x", count: 20_000))
            try record(info("password", "p", 6, uid: 4), "word", form: "plain")
            for number in 0..<3 {
                try record(
                    info("s", "\(number)", 6, uid: UInt8(10 + number)),
                    String(repeating: "y", count: 8_000)
                )
            }
        }
    }

    private static func writer(_ vault: StoreScratchKeyring) -> Writer {
        Writer { label, attributes, secret in vault.service.plant(attributes, secret, label: label) }
    }

    private func vault() throws -> StoreScratchKeyring {
        let vault = try StoreScratchKeyring()
        try Self.writer(vault).vault()
        try anchor(vault).raise(
            to: AnchorText(
                vaultID: Self.vaultID,
                position: Position(epoch: 1, generation: 6),
                tag: Self.mark
            )
        )
        return vault
    }

    private func anchor(_ vault: StoreScratchKeyring) -> Anchor {
        Anchor(path: vault.paths.anchor(Self.vaultID), vaultID: Self.vaultID)
    }

    private func check(_ store: SecretServiceStore, _ vault: StoreScratchKeyring) throws {
        let infos = try store.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(
            infos.map(\.id.description) == [
                "note/a", "note/b", "note/long", "password/p", "s/0", "s/1", "s/2",
            ]
        )
        #expect(try infos.first == Self.info("note", "a", 5, uid: 1))
        #expect(
            try store.text(RecordID("note", "a")) == "a" && store.text(RecordID("password", "p")) == "word"
        )
        #expect(try store.text(RecordID("note", "long"))?.utf8.count == 20_000)
        let status = try store.status()
        #expect(status.position == Position(epoch: 1, generation: 1_025) && status.floor == 3)
        #expect(try anchor(vault).read()?.position == status.position)
        let report = try store.verify()
        #expect(report.records == 7 && report.strays.isEmpty && report.differing.isEmpty)
        #expect(report.unpublished == 0)
        #expect(vault.items("Record").isEmpty && vault.items("Redo").isEmpty)
        #expect(vault.items("Header").count == 1 && vault.items("Header")[0].item.label == "HSIP vault home")
        #expect(vault.items("Secret").map(\.item.secret) == [Array("word".utf8)])
    }

    @Test func `every record comes over with its revision, identity and times`() throws {
        let vault = try vault()
        let store = try vault.open(Self.vaultID, OpenOptions(requireAnchor: true))
        #expect(store.noted.isEmpty)
        try check(store, vault)
        #expect(try store.put(RecordID("note", "a"), "next") == 1_026)
        #expect(try vault.open(Self.vaultID).text(RecordID("note", "a")) == "next")
    }

    @Test func `a change set that waits is carried out on the way`() throws {
        let vault = try vault()
        var changes: [UInt8] = [0, 0, 0, 2, 1]
        changes += try Self.long(MetaContent.encode(Self.info("note", "new", 9, uid: 77)))
        changes += Self.long(Array("new".utf8)) + [2] + (try RecordID("note", "b")).encoded
        let path = try #require(vault.items("Redo").first).path
        vault.service.tamper { items in
            items[path]?.secret = Array("hsip-redo:1 9 \(StrictBase64.encode(changes))".utf8)
        }
        let store = try vault.open(Self.vaultID)
        #expect(try store.text(RecordID("note", "new")) == "new")
        #expect(try store.text(RecordID("note", "b")) == nil && store.status().records == 7)
        #expect(try store.text(RecordID("note", "a")) == "a")
    }

    @Test(arguments: StoreFakeService.Point.allCases, [false, true])
    func `an interruption at any call leaves the old vault or the new one`(
        point: StoreFakeService.Point,
        forGood: Bool
    ) throws {
        var (call, isNew) = (0, Set<Bool>())
        while true {
            call += 1
            let vault = try vault()
            let before = vault.items("Record").map(\.item)
            vault.service.fail(.init(call: call, point: point, forGood: forGood))
            _ = try? vault.open(Self.vaultID)
            let isOver = !vault.service.hasFailed
            vault.service.fail(nil)
            let text = String(decoding: vault.items("Header")[0].item.secret, as: UTF8.self)
            isNew.insert(text.hasPrefix("hsip-vault:2 "))
            // Before the turning point nothing of the old vault was touched.
            if text.hasPrefix("hsip-vault:1 ") { #expect(vault.items("Record").map(\.item) == before) }
            try check(vault.open(Self.vaultID), vault)
            if isOver { break }
        }
        #expect(isNew.count == 2 && call > 20)
    }

    @Test func `a record that cannot be read stops it, and nothing changes`() throws {
        let vault = try vault()
        let item = try #require(vault.items("Record").first { $0.item.attributes["name"] == "b" })
        for (secret, error) in [
            (
                "hsip:1:AQ==:AQ==",
                StoreError.tampered(.record(DamagedRecord(try RecordID("note", "b"), part: .body)))
            ),
            ("x", .tampered(.record(DamagedRecord(try RecordID("note", "b"), part: .body)))),
        ] {
            vault.service.tamper { $0[item.path]?.secret = Array(secret.utf8) }
            let items = vault.service.items
            #expect(throws: error) { try vault.open(Self.vaultID) }
            #expect(vault.service.items == items)
        }
    }

    @Test func `what another program wrote stays where it is and comes not over`() throws {
        let vault = try vault()
        let own = Self.base.merging(["xdg:schema": "io.hsip.vault.Record", "kind": "password", "name": "q"]) {
            $1
        }
        let path = vault.service.plant(own, "theirs", label: "Theirs")
        let store = try vault.open(Self.vaultID)
        #expect(try store.text(RecordID("password", "q")) == nil)
        #expect(vault.service.items[path] != nil && vault.items("Record").count == 1)
        #expect(try store.verify().strays == ["Theirs"])
    }

    @Test func `items of format 1 that are put back later are a rollback`() throws {
        let vault = try vault()
        let old = vault.service.items
        let store = try vault.open(Self.vaultID)
        vault.service.restore(old)
        let rollback = StoreError.rollback(
            found: Position(epoch: 1, generation: 1_024),
            expected: Position(epoch: 1, generation: 1_025)
        )
        #expect(throws: rollback) { try store.text(RecordID("note", "a")) }
        #expect(throws: rollback) { try vault.open(Self.vaultID) }
        var options = OpenOptions()
        options.acceptsRollback = true
        let taken = try vault.open(Self.vaultID, options)
        try taken.acceptRollback()
        #expect(try taken.text(RecordID("note", "a")) == "a")
        #expect(try vault.open(Self.vaultID).status().floor > 1_025)
    }

    @Test func `who may only read does not take it over`() throws {
        let vault = try vault()
        let items = vault.service.items
        #expect(throws: StoreError.readOnly) { try vault.open(Self.vaultID, OpenOptions(readOnly: true)) }
        #expect(vault.service.items == items)
    }

    @Test func `a copy of it is noticed as before`() throws {
        let vault = try vault()
        try anchor(vault).raise(
            to: AnchorText(
                vaultID: Self.vaultID,
                position: Position(epoch: 1, generation: 7),
                tag: Array(repeating: 1, count: 16)
            )
        )
        #expect(throws: StoreError.fork) { try vault.open(Self.vaultID) }
    }
}
