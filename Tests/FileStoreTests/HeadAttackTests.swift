import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

/// Edits of the head, the slots, the schema and the header.
@Suite struct HeadAttackTests {
    private let attacked: AttackedVault

    init() throws {
        attacked = try AttackedVault()
    }

    private var vault: ScratchVault { attacked.vault }

    private func refusalToOpen(_ options: OpenOptions = OpenOptions()) -> StoreError? {
        refusal { _ = try vault.open(options) }
    }

    private func unlock() throws -> FileStore {
        try FileStore.open(
            at: vault.paths,
            unlock: .recovery(ScratchVault.code()),
            entropy: vault.entropy,
            now: { 1 }
        )
    }

    @Test func `an old head alone is a rollback, and without an anchor its lanes disagree`() throws {
        let old = try #require(try vault.raw { try $0.blob("SELECT sealed FROM head") })
        let id = attacked.ids[5]
        try vault.open().put(id, "newer")
        try attacked.edit("UPDATE head SET sealed = ?", old)
        #expect(
            refusalToOpen()
                == .rollback(
                    found: Position(epoch: 1, generation: 13),
                    expected: Position(epoch: 1, generation: 14)
                )
        )
        try vault.removeAnchor()
        #expect(attacked.find(id) == .failure(.tampered(try attacked.lane(id))))
    }

    @Test(arguments: [0, 23, 24, 39, 40, 41, 1_000, 2_144])
    func `a head with a changed byte does not open`(place: Int) throws {
        var head = try #require(try vault.raw { try $0.blob("SELECT sealed FROM head") })
        head[place] ^= 1
        try attacked.edit("UPDATE head SET sealed = ?", head)
        #expect(refusalToOpen() == .tampered(.head))
    }

    @Test(arguments: [
        "UPDATE head SET key_epoch = 2", "UPDATE head SET key_epoch = 0", "UPDATE head SET key_epoch = -1",
        "UPDATE head SET key_epoch = 5000000000", "UPDATE head SET vault_id = zeroblob(16)",
        "UPDATE head SET vault_id = zeroblob(15)", "UPDATE head SET sealed = zeroblob(2144)",
        "UPDATE head SET sealed = zeroblob(2145)", "DELETE FROM head",
    ])
    func `a head with another epoch, id or size does not open, nor does none`(sql: String) throws {
        try attacked.edit(sql)
        #expect(refusalToOpen() == .tampered(.head))
    }

    @Test func `a key epoch that was raised under a running process locks it`() throws {
        let store = try vault.open()
        try attacked.edit("UPDATE head SET key_epoch = 2")
        #expect(refusal { _ = try store.text(attacked.ids[0]) } == .rekeyed)
        #expect(refusal { try store.put(attacked.ids[0], "x") } == .rekeyed)
    }

    @Test func `a head that falls back under a running process is a rollback`() throws {
        let old = try #require(try vault.raw { try $0.blob("SELECT sealed FROM head") })
        let store = try vault.open()
        try store.put(attacked.ids[0], "newer")
        try attacked.edit("UPDATE head SET sealed = ?", old)
        let expected = StoreError.rollback(
            found: Position(epoch: 1, generation: 13),
            expected: Position(epoch: 1, generation: 14)
        )
        #expect(refusal { _ = try store.text(attacked.ids[0]) } == expected)
        #expect(refusal { try store.put(attacked.ids[0], "newest") } == expected)
    }

    @Test func `a removed slot put back is noticed`() throws {
        let store = try unlock()
        let code = try Secret(copying: Array("fedcba9876543210".utf8))
        let number = try store.addSlot(NewSlot(.recovery(code)), unlock: .recovery(ScratchVault.code()))
        let row = try #require(
            try vault.raw { try $0.rows("SELECT * FROM slot WHERE n = \(number)").first }
        )
        try store.removeSlot(number)
        try vault.raw { try $0.run("INSERT INTO slot VALUES(?, ?, ?, ?, ?, ?)", row.values) }
        #expect(refusalToOpen() == .tampered(.slots))
        #expect(refusal { _ = try unlock() } == .tampered(.slots))
        // Nor is it laundered by someone who has the vault open.
        #expect(refusal { _ = try store.slots() } == .tampered(.slots))
        #expect(
            refusal { try store.addSlot(NewSlot(.recovery(code)), unlock: .recovery(ScratchVault.code())) }
                == .tampered(.slots)
        )
        #expect(refusal { try store.removeSlot(number) } == .tampered(.slots))
    }

    @Test(arguments: ["note", "sealed", "params", "proof"])
    func `a slot with a changed byte is noticed`(column: String) throws {
        var value = try #require(try vault.raw { try $0.blob("SELECT \(column) FROM slot") })
        value[value.count - 1] ^= 1
        try attacked.edit("UPDATE slot SET \(column) = ?", value)
        #expect(refusalToOpen() == .tampered(.slots))
    }

    @Test(arguments: ["DELETE FROM slot", "UPDATE slot SET kind = 16", "UPDATE slot SET kind = 1, n = 9"])
    func `slots that were deleted or changed their kind deny, and no more`(sql: String) throws {
        try attacked.edit(sql)
        #expect(refusal { _ = try unlock() } == .noSuchSlot)
    }

    @Test(arguments: [
        "UPDATE slot SET kind = -1", "UPDATE slot SET kind = 5000000000", "UPDATE slot SET n = 0",
        "UPDATE slot SET n = -3", "UPDATE slot SET n = 5000000000",
        "INSERT INTO slot SELECT value, 99, x'', x'', x'', x'' FROM json_each('[2,3,4,5,6]')",
        """
        INSERT INTO slot SELECT value, value, x'', x'', x'', x''
        FROM json_each('[2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]')
        """,
    ])
    func `numbers out of range and too many slots are refused before any work`(sql: String) throws {
        try attacked.edit(sql)
        #expect(refusal { _ = try unlock() } == .tampered(.slots))
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM slot; END",
        "CREATE INDEX i ON record(seal)", "CREATE TABLE extra(a)", "CREATE VIEW v AS SELECT * FROM record",
        "ALTER TABLE record ADD COLUMN extra BLOB", "DROP TABLE record",
    ])
    func `a schema that is not exactly ours is refused`(sql: String) throws {
        try attacked.edit(sql)
        #expect(refusalToOpen() == .schemaTampered)
    }

    @Test func `a trigger planted under a running process does nothing, and is seen at the next opening`()
        throws
    {
        let store = try vault.open()
        let victim = attacked.ids[2]
        try attacked.edit(
            """
            CREATE TRIGGER t AFTER UPDATE ON head BEGIN
            DELETE FROM record WHERE id = x'\(Hex.encode(attacked.rowID(victim).bytes))'; END
            """
        )
        try store.put(attacked.ids[0], "newer")
        #expect(try store.text(victim) == "secret of \(victim)")
        #expect(refusalToOpen() == .schemaTampered)
    }

    @Test func `an index planted under a running process changes no answer, and is seen at the next opening`()
        throws
    {
        let store = try vault.open()
        try attacked.edit("CREATE INDEX i ON record(seal)")
        try store.put(attacked.ids[0], "newer")
        #expect(try store.text(attacked.ids[0]) == "newer")
        #expect(refusalToOpen() == .schemaTampered)
    }

    @Test func `tables dropped under a running process are an error, not an empty vault`() throws {
        let store = try vault.open()
        try attacked.edit("DROP TABLE record")
        #expect(refusal { _ = try store.text(attacked.ids[0]) } == .schemaTampered)
        #expect(
            refusal { _ = try store.read { reader throws(StoreError) in try reader.list(nil) } }
                == .schemaTampered
        )
    }

    @Test func `another format or another application is told`() throws {
        try attacked.edit("PRAGMA user_version = 2")
        #expect(refusalToOpen() == .newerFormat(found: 2, supported: 1))
        try attacked.edit("PRAGMA user_version = 0")
        #expect(refusalToOpen() == .notAVault)
        try attacked.edit("PRAGMA user_version = 1")
        try attacked.edit("PRAGMA application_id = 0")
        #expect(refusalToOpen() == .notAVault)
    }
}
