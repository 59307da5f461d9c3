import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// Roots that are not whole, not alone, or say what cannot be.
@Suite struct StoreRootTests {
    @Test func `a record of a later version is listed, not touched, and kept byte for byte`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        var root = try vault.root()
        let id = try RecordID("n", "a")
        let record = try #require(root.recent[id]?.record)
        var meta = record.meta
        meta[0] = 2
        meta += [1, 2, 3]
        root.recent[id] = .record(StoredRecord(info: record.info, meta: meta, body: record.body))
        try vault.replaceRoot(by: root)
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
        let (vault, store) = try StoreScratchKeyring.filled()
        let header = try #require(vault.items("Header").first)
        // No copy of the root stands in for it.
        let key = try #require(vault.items("RootKey").first).path
        vault.service.tamper { $0[key] = nil }
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
        // The same text twice is one root.
        try open { $0[copy] = header.item }
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
        let (vault, store) = try StoreScratchKeyring.filled()
        var root = try vault.root()
        root.generation = Root.lastGeneration
        try vault.replaceRoot(by: root)
        let fresh = try vault.open(store.vaultID)
        #expect(try fresh.text(RecordID("n", "a")) == "note")
        #expect(throws: StoreError.tampered(.head)) { try fresh.put(RecordID("n", "a"), "x") }
        #expect(throws: StoreError.tampered(.head)) { try fresh.acceptRollback() }
    }

    @Test func `a count that is not that of the records is noticed`() throws {
        let (vault, store) = try StoreScratchKeyring.filled()
        var root = try vault.root()
        root.records += 1
        try vault.replaceRoot(by: root)
        #expect(throws: StoreError.tampered(.head)) { try store.verify() }
    }
}
