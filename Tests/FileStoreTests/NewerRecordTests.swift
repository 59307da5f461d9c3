import FileStore
import RecordStore
import Testing
import VaultCrypto

/// Records that a newer program has written, and records that no one writes.
@Suite struct NewerRecordTests {
    private let vault: ScratchVault
    private let id: RecordID

    init() throws {
        vault = try ScratchVault()
        id = try RecordID("login", "later")
        try vault.create().put(RecordID("login", "mine"), "x")
    }

    /// Meta content by its fields; every revision here is 3.
    private func meta(
        version: UInt8 = 1,
        type: UInt8 = 1,
        revision: UInt8 = 3,
        name: String = "later",
        rest: [UInt8] = [0, 0]
    ) -> [UInt8] {
        [version, type, 0, 0, 0, 0, 0, 0, 0, revision] + Array(repeating: 9, count: 16 + 24)
            + [0, 5] + Array("login".utf8) + [0, UInt8(name.utf8.count)] + Array(name.utf8) + [0, 0] + rest
    }

    @Test func `a record of a newer program is shown, and neither read, replaced nor deleted`() throws {
        try Forger(vault).addRecord(id, meta: meta(version: 2, rest: [0, 0, 1, 2, 3]), revision: 3)
        let store = try vault.open()
        let list = try store.read { reader throws(StoreError) in try reader.list(nil) }
        #expect(list.map(\.id.name) == ["later", "mine"] && list.map(\.isNewer) == [true, false])
        #expect(try store.read { reader throws(StoreError) in try reader.info(id) }?.isNewer == true)
        #expect(refusal { _ = try store.text(id) } == .newerRecord)
        #expect(refusal { try store.put(id, "x") } == .newerRecord)
        let delete = ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)])
        #expect(refusal { try store.commit(delete) } == .newerRecord)
        #expect(try store.verify().records == 2)
        #expect(try store.put(RecordID("login", "mine"), "y") == 4)
    }

    @Test func `a record as this version writes it is read`() throws {
        try Forger(vault).addRecord(id, meta: meta(), revision: 3)
        let store = try vault.open()
        #expect(try store.text(id) == "")
        #expect(try store.verify().records == 2)
    }

    @Test func `a head that counts other records than there are is refused by whatever reads all`() throws {
        try Forger(vault).miscount()
        let store = try vault.open()
        #expect(try store.text(RecordID("login", "mine")) == "x")
        #expect(
            refusal { _ = try store.read { reader throws(StoreError) in try reader.list(nil) } }
                == .tampered(.head)
        )
        #expect(refusal { _ = try store.verify() } == .tampered(.head))
    }

    @Test func `another type of row is for a newer program`() throws {
        try Forger(vault).addRecord(id, meta: meta(type: 2), revision: 3)
        #expect(refusal { _ = try vault.open().text(id) } == .newerRecord)
    }

    @Test func `a meta that no writer produces is refused, though its tag is right`() throws {
        for bad in [
            meta(version: 0), meta(revision: 0), meta(revision: 4), meta(name: "other"), meta(name: " later"),
            meta(rest: [0, 0, 0]), meta(rest: []), meta(rest: [0]), meta(rest: [0, 1]), meta(rest: [0, 65]),
            meta(rest: [0, 1, 0, 0, 0, 0]), meta(rest: [0, 1, 0, 1, 0xFF, 0, 0]),
            meta(rest: [0, 2, 0, 1, 97, 0, 0, 0, 1, 97, 0, 0]),
            meta(rest: [0, 2, 0, 1, 98, 0, 0, 0, 1, 97, 0, 0]), meta(rest: [0, 1, 0, 1, 97, 0, 9]),
            [], [1], [1, 1],
        ] {
            let vault = try ScratchVault()
            try vault.create().put(RecordID("login", "mine"), "x")
            try Forger(vault).addRecord(id, meta: bad, revision: 3)
            guard case .tampered(.record(let record)) = refusal({ _ = try vault.open().text(id) }),
                record.part == .meta
            else {
                Issue.record("\(bad)")
                continue
            }
        }
    }
}
