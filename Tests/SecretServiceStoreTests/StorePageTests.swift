import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// Pages that are gone, changed, put back, or under another name.
@Suite struct StorePageTests {
    @Test(arguments: ["", "x", "hsip-page:2", "hsip-page:2 AA== AA==", "hsip-page:3 x", "hsip-vault:2 a b c"])
    func `a page that is none is damage of its records, and of no others`(text: String) throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let path = try vault.page(of: "a")
        vault.service.tamper { $0[path]?.secret = Array(text.utf8) }
        try checkDamage(store)
    }

    @Test func `one changed byte of a page is damage`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let path = try vault.page(of: "a")
        let secret = try #require(vault.service.items[path]?.secret)
        for index in stride(from: 0, to: secret.count, by: 997) {
            vault.service.tamper { $0[path]?.secret[index] ^= 1 }
            #expect(throws: StoreError.tampered(.record(DamagedRecord(try RecordID("a", "0"), part: .body))))
            {
                try store.text(RecordID("a", "0"))
            }
            vault.service.tamper { $0[path]?.secret = secret }
        }
        #expect(try store.ids().count == 11)
    }

    @Test(arguments: [false, true])
    func `a page under another's name, or gone, is damage`(isGone: Bool) throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let (one, two) = (try vault.page(of: "a"), try vault.page(of: "z"))
        let other = vault.service.items[two]
        vault.service.tamper { $0[one]?.secret = other?.secret ?? [] }
        if isGone { vault.service.tamper { $0[one] = nil } }
        try checkDamage(store)
    }

    @Test func `a page of an older state is damage, also under the name of the present one`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let old = try #require(vault.service.items[try vault.page(of: "a")]).secret
        for number in 0..<4 {
            try store.put(RecordID("a", "\(number)"), String(repeating: "n", count: 7_400))
        }
        let path = try vault.page(of: "a")
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
        #expect(throws: damaged) { try store.ids() }
        #expect(throws: damaged) { try store.ids("a") }
        #expect(throws: damaged) { try store.verify() }
        #expect(try store.ids("z").count == 4 && store.ids("n") == ["n/a", "n/long"])
        try store.put(RecordID("m", "new"), "new")
        // Also when there is so much of it that pages are made again.
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
        let (vault, store) = try StoreScratchKeyring.filled()
        let path = try vault.longBody()
        vault.service.tamper { $0[path] = nil }
        let id = try RecordID("n", "long")
        let damaged = DamagedRecord(id, part: .body)
        #expect(throws: StoreError.tampered(.record(damaged))) { try store.text(id) }
        #expect(try store.ids().count == 11)
        #expect(try store.inspect().damaged == [damaged])
        #expect(throws: StoreError.tampered(.record(damaged))) { try store.verify() }
        #expect(try store.setAside() == 1)
        #expect(try store.verify().records == 10 && store.text(id) == nil)
    }

    @Test func `beside a damaged page what was interrupted is looked for once, not by every writer`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let path = try vault.page(of: "a")
        vault.service.tamper { $0[path] = nil }
        try vault.logOut()
        let opened = try vault.open(store.vaultID)
        #expect(try vault.lockText().contains(" clean"))
        try opened.put(RecordID("m", "new"), "new")
        #expect(try vault.lockText().contains(" clean"))
    }

    @Test func `several records of a page cost one view of the vault one look at it`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let ids = try (0..<4).map { try RecordID("a", "\($0)") }
        vault.service.fail(nil)
        let before = vault.service.calls
        try store.read { reader throws(StoreError) in
            for id in ids + ids { #expect(try reader.find(id) != nil) }
        }
        // The root; the page is found, and read.
        #expect(vault.service.calls - before == 3)
    }

    @Test func `the next view of the vault sees that a page is gone`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let id = try RecordID("a", "0")
        #expect(try store.text(id) != nil)
        let path = try vault.page(of: "a")
        vault.service.tamper { $0[path] = nil }
        #expect(throws: StoreError.tampered(.record(DamagedRecord(id, part: .body)))) { try store.text(id) }
    }

    @Test func `a view that looks at more pages than it keeps sees every record`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        var changes = ChangeSet(floor: 0)
        for number in 0..<60 {
            let body = try Secret(copying: Array(repeating: UInt8(number), count: 7_500))
            changes.put(RecordDraft(id: try RecordID("a", "\(number)"), body: body), expecting: 0)
        }
        try store.commit(changes)
        #expect(try vault.root().pages.count > 9)
        try store.read { reader throws(StoreError) in
            for number in (0..<60).reversed() + Array(0..<60) {
                let record = try reader.find(RecordID("a", "\(number)"))
                let bytes = record?.body.withBytes { $0.copied() }
                #expect(bytes?.first == UInt8(number))
            }
        }
    }

    @Test func `a page that is emptied is damage and no leftover`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        let path = try vault.page(of: "a")
        vault.service.tamper { $0[path]?.secret = [] }
        try vault.logOut()
        _ = try vault.open(store.vaultID)
        #expect(vault.service.items[path] != nil)
        #expect(try vault.open(store.vaultID).inspect().damaged.count == 3)
    }
}
