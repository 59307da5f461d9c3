import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

/// Edits of the rows: the vault opens, other lanes answer, the lane that was touched does not.
@Suite struct RecordAttackTests {
    private let attacked: AttackedVault
    private let victim: RecordID
    private let other: RecordID

    init() throws {
        attacked = try AttackedVault()
        victim = attacked.ids[3]
        other = attacked.ids[7]
    }

    /// The victim's lane refuses, and whatever needs all lanes too; a bystander still answers.
    private func expectTampered(_ victims: RecordID..., bystander: RecordID? = nil) throws {
        for victim in victims {
            #expect(attacked.find(victim) == .failure(.tampered(try attacked.lane(victim))))
        }
        let calm = bystander ?? attacked.ids[0]
        #expect(attacked.find(calm) == .success("secret of \(calm)"))
        let store = try attacked.vault.open()
        let lanes = try victims.map { StoreError.tampered(try attacked.lane($0)) }
        let listed = refusal { _ = try store.read { reader throws(StoreError) in try reader.list(nil) } }
        #expect(lanes.contains { $0 == listed })
        let verified = refusal { _ = try store.verify() }
        #expect(lanes.contains { $0 == verified })
        // Damage is not written over.
        #expect(refusal { try store.put(victims[0], "new") } == .tampered(try attacked.lane(victims[0])))
        let delete = ChangeSet(floor: 0, changes: [.delete(victims[0], expecting: nil)])
        #expect(refusal { try store.commit(delete) } == .tampered(try attacked.lane(victims[0])))
    }

    @Test func `a row that was deleted is missed`() throws {
        try attacked.edit("DELETE FROM record WHERE id = ?", attacked.rowID(victim).bytes)
        try expectTampered(victim)
    }

    @Test func `all rows that were deleted are missed`() throws {
        try attacked.edit("DELETE FROM record")
        for id in attacked.ids {
            #expect(attacked.find(id) == .failure(.tampered(try attacked.lane(id))))
        }
        let store = try attacked.vault.open()
        #expect(refusal { _ = try store.verify() } != nil)
        #expect(refusal { _ = try store.read { reader throws(StoreError) in try reader.list(nil) } } != nil)
    }

    @Test func `a row copied under another id of its lane is noticed`() throws {
        let row = try #require(try attacked.row(victim))
        var bytes = try attacked.rowID(victim).bytes
        bytes[15] ^= 1
        try attacked.plant(row, under: try #require(RowID(bytes)))
        try expectTampered(victim)
    }

    @Test func `a row copied over another record is noticed`() throws {
        try attacked.plant(try #require(try attacked.row(other)), under: attacked.rowID(victim))
        try expectTampered(victim)
    }

    @Test func `two rows that were swapped are noticed`() throws {
        let first = try #require(try attacked.row(victim))
        let second = try #require(try attacked.row(other))
        try attacked.plant(first, under: attacked.rowID(other))
        try attacked.plant(second, under: attacked.rowID(victim))
        try expectTampered(victim, other)
    }

    @Test func `an old row put back is noticed`() throws {
        let old = try #require(try attacked.row(victim))
        try attacked.vault.open().put(victim, "newer")
        try attacked.plant(old, under: attacked.rowID(victim))
        try expectTampered(victim)
    }

    @Test func `a deleted row put back is noticed`() throws {
        let old = try #require(try attacked.row(victim))
        try attacked.vault.open().commit(ChangeSet(floor: 0, changes: [.delete(victim, expecting: nil)]))
        #expect(attacked.find(victim) == .success(nil))
        try attacked.plant(old, under: attacked.rowID(victim))
        try expectTampered(victim)
    }

    @Test func `a row with an id of another size is noticed`() throws {
        for (bytes, lane) in [([], 0), ([0xFF], 127), (Array(repeating: 0xFF, count: 17), 127)]
            as [([UInt8], Int)]
        {
            try attacked.edit("INSERT INTO record VALUES(?, zeroblob(80), x'', x'')", bytes)
            let store = try attacked.vault.open()
            #expect(
                refusal { _ = try store.read { reader throws(StoreError) in try reader.list(nil) } }
                    == .tampered(.recordSet(lane: lane))
            )
            try attacked.edit("DELETE FROM record WHERE id = ?", bytes)
        }
    }

    @Test func `bodies that were swapped are noticed when they are opened`() throws {
        let first = try #require(try attacked.row(victim))
        let second = try #require(try attacked.row(other))
        for (row, body) in [(first, second), (second, first)] {
            try attacked.edit(
                "UPDATE record SET body = ? WHERE id = ?",
                body["body"],
                row["id"]
            )
        }
        let part = try attacked.damaged(victim, .body)
        #expect(attacked.find(victim) == .failure(.tampered(part)))
        let store = try attacked.vault.open()
        #expect(
            try store.read { reader throws(StoreError) in try reader.list(nil) }.count == attacked.ids.count
        )
        let verified = refusal { _ = try store.verify() }
        let otherPart = try attacked.damaged(other, .body)
        #expect(verified == .tampered(part) || verified == .tampered(otherPart))
    }

    @Test(arguments: [0, 1, 60, 127])
    func `a meta with a changed byte is noticed`(place: Int) throws {
        let row = try #require(try attacked.row(victim))
        var meta = row["meta"]
        meta[place] ^= 0x10
        try attacked.edit("UPDATE record SET meta = ? WHERE id = ?", meta, row["id"])
        let part = try attacked.damaged(victim, .meta)
        #expect(attacked.find(victim) == .failure(.tampered(part)))
        let store = try attacked.vault.open()
        #expect(
            refusal { _ = try store.read { reader throws(StoreError) in try reader.list(nil) } }
                == .tampered(part)
        )
    }

    @Test func `parts of other sizes and types are noticed`() throws {
        let row = try #require(try attacked.row(victim))
        for (column, size) in [
            ("seal", 0), ("seal", 79), ("seal", 81), ("meta", 0), ("meta", 100_000), ("body", 0),
            ("body", 127),
        ] {
            try attacked.edit(
                "UPDATE record SET \(column) = ? WHERE id = ?",
                Array(repeating: 0, count: size),
                row["id"]
            )
            guard case .failure(.tampered) = attacked.find(victim) else {
                Issue.record("\(column) of \(size) bytes")
                continue
            }
            try attacked.plant(row, under: attacked.rowID(victim))
        }
        #expect(attacked.find(victim) == .success("secret of \(victim)"))
    }

    @Test func `an old row put back under a running process is noticed`() throws {
        let old = try #require(try attacked.row(victim))
        let store = try attacked.vault.open()
        try store.put(victim, "newer")
        #expect(try store.text(victim) == "newer")
        try attacked.plant(old, under: attacked.rowID(victim))
        let expected = StoreError.tampered(try attacked.lane(victim))
        #expect(refusal { _ = try store.text(victim) } == expected)
        #expect(refusal { try store.put(victim, "newest") } == expected)
        #expect(refusal { _ = try store.verify() } == expected)
        #expect(try store.text(other) == "secret of \(other)")
    }

    @Test func `a row deleted or planted under a running process is noticed`() throws {
        let store = try attacked.vault.open()
        let old = try #require(try attacked.row(victim))
        for id in attacked.ids { #expect(try store.text(id) == "secret of \(id)") }
        try attacked.edit("DELETE FROM record WHERE id = ?", attacked.rowID(victim).bytes)
        #expect(refusal { _ = try store.text(victim) } == .tampered(try attacked.lane(victim)))
        try attacked.plant(old, under: attacked.rowID(victim))
        #expect(try store.text(victim) == "secret of \(victim)")
        let absent = try RecordID("login", "nobody")
        #expect(try store.text(absent) == nil)
        try attacked.plant(old, under: attacked.rowID(absent))
        #expect(refusal { _ = try store.text(absent) } == .tampered(try attacked.lane(absent)))
        #expect(refusal { try store.put(absent, "x") } == .tampered(try attacked.lane(absent)))
    }
}
