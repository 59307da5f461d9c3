import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// Accidents that hit one record: it is named, and everything else goes on.
@Suite struct DamagedRecordTests {
    private let attacked: AttackedVault
    private let victim: RecordID
    /// In the victim's lane.
    private let neighbour: RecordID

    init() throws {
        attacked = try AttackedVault()
        victim = attacked.ids[3]
        let lane = try attacked.rowID(victim).lane
        var found: RecordID?
        for number in 0..<10_000 where found == nil {
            let id = try RecordID("note", "beside-\(number)")
            if try attacked.rowID(id).lane == lane { found = id }
        }
        neighbour = try #require(found)
        try attacked.vault.open().put(neighbour, "beside")
    }

    private func change(_ column: String, at place: Int, by bits: UInt8) throws {
        let row = try #require(try attacked.row(victim))
        var bytes = row[column]
        bytes[place] ^= bits
        try attacked.edit("UPDATE record SET \(column) = ? WHERE id = ?", bytes, row["id"])
    }

    private func survey(_ kind: RecordKind? = nil) throws -> RecordSurvey {
        try attacked.vault.open().read { reader throws(StoreError) in try reader.survey(kind) }
    }

    @Test(arguments: [
        ("seal", 0, UInt8(0x01), DamagedRecord.Part.meta), ("seal", 39, 0xFF, .meta),
        ("seal", 40, 0x80, .body),
        ("seal", 79, 0x5A, .body), ("meta", 0, 0x10, .meta), ("meta", 127, 0xFF, .meta),
    ])
    func `one changed byte of a row is told by the record's name, and all others are read`(
        column: String,
        place: Int,
        bits: UInt8,
        part: DamagedRecord.Part
    ) throws {
        try change(column, at: place, by: bits)
        let damaged = DamagedRecord(victim, lane: try attacked.rowID(victim).lane, part: part)
        let found = try survey()
        #expect(found.damaged == [damaged])
        #expect(found.records.map(\.id) == (attacked.ids + [neighbour]).filter { $0 != victim }.sorted())
        #expect(attacked.find(victim) == .failure(.tampered(.record(damaged))))
        let store = try attacked.vault.open()
        #expect(try store.text(neighbour) == "beside")
        #expect(try store.text(attacked.ids[0]) == "secret of \(attacked.ids[0])")
        // A list that it cannot belong to is whole.
        let others = try store.read { reader throws(StoreError) in try reader.list(neighbour.kind) }
        #expect(others.map(\.id) == [neighbour])
        #expect(
            refusal { _ = try store.read { reader throws(StoreError) in try reader.list(victim.kind) } }
                == .tampered(.record(damaged))
        )
        // Nothing is written over it, and its lane takes new records.
        #expect(refusal { try store.put(victim, "new") } == .tampered(.record(damaged)))
        #expect(refusal { _ = try store.verify() } == .tampered(.record(damaged)))
        #expect(try store.inspect().damaged == [damaged])
        try store.put(neighbour, "newer")
        #expect(try attacked.vault.open().text(neighbour) == "newer")
        // What was undone by hand is as it was.
        try change(column, at: place, by: bits)
        #expect(try attacked.vault.open().verify().records == attacked.ids.count + 1)
    }

    @Test func `a secret whose bytes changed is named by who reads it and by verify`() throws {
        try change("body", at: 5, by: 4)
        let damaged = DamagedRecord(victim, lane: try attacked.rowID(victim).lane, part: .body)
        #expect(try survey().damaged.isEmpty)
        #expect(attacked.find(victim) == .failure(.tampered(.record(damaged))))
        #expect(try attacked.vault.open().inspect().damaged == [damaged])
    }

    @Test func `a meta that nothing mends may be a record of any kind`() throws {
        try change("meta", at: 3, by: 1)
        try change("meta", at: 90, by: 7)
        let found = try survey(neighbour.kind)
        #expect(found.records.map(\.id) == [neighbour])
        let lane = try attacked.rowID(victim).lane
        #expect(found.damaged == [DamagedRecord(nil, lane: lane, part: .meta)])
        let store = try attacked.vault.open()
        let refused = refusal {
            _ = try store.read { reader throws(StoreError) in try reader.list(neighbour.kind) }
        }
        #expect(refused == .tampered(.record(found.damaged[0])))
        // Who asks for it knows its name.
        #expect(attacked.find(victim) == .failure(.tampered(try attacked.damaged(victim, .meta))))
    }

    @Test func `where a row is missing or an old one is back, nothing of its lane is vouched for`() throws {
        let lane = try attacked.rowID(victim).lane
        let old = try #require(try attacked.row(victim))
        try attacked.vault.open().put(victim, "newer")
        try attacked.plant(old, under: attacked.rowID(victim))
        var found = try survey()
        #expect(found.damaged.first == DamagedRecord(nil, lane: lane, part: .recordSet))
        #expect(Set(found.damaged.compactMap(\.name)) == [victim.name, neighbour.name])
        #expect(found.records.map(\.id) == attacked.ids.filter { $0 != victim }.sorted())
        for id in [victim, neighbour] {
            #expect(attacked.find(id) == .failure(.tampered(.recordSet(lane: lane))))
        }
        // Also with another byte changed, which would explain it to who does not look closely.
        try change("seal", at: 7, by: 1)
        found = try survey()
        #expect(found.damaged.first == DamagedRecord(nil, lane: lane, part: .recordSet))
        #expect(attacked.find(neighbour) == .failure(.tampered(.recordSet(lane: lane))))
        try attacked.edit("DELETE FROM record WHERE id = ?", old["id"])
        #expect(try survey().damaged.first == DamagedRecord(nil, lane: lane, part: .recordSet))
        #expect(try attacked.vault.open().text(attacked.ids[0]) == "secret of \(attacked.ids[0])")
    }

    @Test func `a backup names what is damaged in it, and takes no older one's place`() throws {
        let copy = attacked.vault.scratch.path + "/copy"
        #expect(try attacked.vault.open().backUp(to: copy).damaged.isEmpty)
        let whole = try Data(contentsOf: URL(fileURLWithPath: copy))
        try change("seal", at: 2, by: 1)
        let damaged = try attacked.damaged(victim, .meta)
        let store = try attacked.vault.open()
        #expect(refusal { _ = try store.backUp(to: copy, replaces: true) } == .tampered(damaged))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == whole)
        let report = try store.backUp(to: copy + "-2", replaces: true)
        #expect(report.damaged.map(\.name) == [victim.name])
        #expect(report.records == attacked.ids.count + 1)
    }
}
