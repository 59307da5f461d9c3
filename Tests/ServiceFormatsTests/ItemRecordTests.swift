import RecordStore
import ServiceFormats
import Support
import Testing
import VaultCrypto
import VaultPolicy

struct ItemRecordTests {
    @Test func `records are read as the schema says, and written as they were read`() throws {
        let cases = try #require(try vectors()["items"] as? [[String: Any]])
        try #require(cases.count > 4)
        for vector in cases {
            let text = { (name: String) in vector[name] as? String }
            let raw = try #require(vector["record"] as? [String: String])
            let record = try ItemRecord(try info(vector["id"] as? String ?? "", text("label") ?? "", raw))
            #expect(record.id == text("id"))
            #expect(record.collection == text("collection"))
            #expect(record.owner?.text == text("owner"))
            #expect(record.writer?.text == text("writer"))
            #expect(record.readers.map(\.text) == vector["readers"] as? [String] ?? [])
            #expect(record.contentType == text("contentType"))
            #expect(record.removedAt == (vector["removed"] as? Int).map { UInt64($0) })
            #expect(record.bytes == vector["bytes"] as? Int)
            let given = try #require(vector["attributes"] as? [String: String])
            #expect(record.attributes == (try attributes(given)))
            let again = try record.recordAttributes()
            #expect(
                again.all.map { $0.name } == raw.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            )
            for (name, hex) in raw { #expect(again.bytes(name) == Hex.decode(hex), "\(name)") }
        }
    }

    @Test func `what the schema does not have is refused`() throws {
        let cases = try #require(try vectors()["badItems"] as? [[String: Any]])
        try #require(cases.count > 15)
        for vector in cases {
            let raw = try #require(vector["record"] as? [String: String])
            let record = try info(vector["id"] as? String ?? "", "", raw)
            #expect(throws: ServiceError.badItem, "\(vector["note"] ?? "")") { try ItemRecord(record) }
        }
    }

    @Test func `an item at every limit fits into a record`() throws {
        let name = String(repeating: "n", count: 61)
        let pairs = (0..<48).map { pair(name + "\($0 + 10)", String(repeating: "v", count: 1_131)) }
        var item = ItemRecord(
            id: String(repeating: "i", count: 64),
            collection: String(repeating: "c", count: 200),
            label: String(repeating: "l", count: 1_024),
            attributes: try ItemAttributes(pairs),
            owner: ProgramIdentity("/" + String(repeating: "o", count: 254))
        )
        item.readers = (0..<16).compactMap {
            ProgramIdentity("/" + String(repeating: "r", count: 252) + "\($0 + 10)")
        }
        item.contentType = String(repeating: "t", count: 128)
        item.removedAt = 253_402_300_799
        item.bytes = 16 << 20
        #expect(item.readers.count == 16)
        let draft = RecordDraft(
            id: try RecordID(ItemRecord.kind, item.id),
            label: item.label,
            attributes: try item.recordAttributes(),
            body: try Secret(copying: [1])
        )
        try draft.check()
        #expect(try ItemRecord(try info(item)) == item)
    }

    @Test func `what is beyond a limit is not written`() throws {
        let good = ItemRecord(id: "i", collection: "login", label: "", attributes: .none, owner: nil)
        _ = try good.recordAttributes()
        let changes: [(inout ItemRecord) -> Void] = [
            { $0.collection = "" }, { $0.collection = String(repeating: "c", count: 201) },
            { $0.label = String(repeating: "l", count: 1_025) }, { $0.contentType = "" },
            { $0.contentType = "text/plain" }, { $0.contentType = String(repeating: "t", count: 129) },
            { $0.removedAt = 0 }, { $0.removedAt = 253_402_300_800 },
            { $0.bytes = 4_096 }, { $0.bytes = (16 << 20) + 1 },
            { $0.readers = (0..<17).compactMap { ProgramIdentity("/\($0)") } },
            { $0.readers = (0..<2).compactMap { _ in ProgramIdentity("/a") } },
        ]
        for change in changes {
            var item = good
            change(&item)
            #expect(throws: ServiceError.badItem) { try item.recordAttributes() }
        }
    }

    @Test(arguments: [
        "", "usr/bin/git", "flatpak:", "snap:", "unknown", "/usr/bin/a\nb", "/\u{7F}", "/\u{85}",
        "/" + String(repeating: "a", count: 255),
    ]) func `a text that is no identity is none`(text: String) {
        #expect(ProgramIdentity(text) == nil)
    }

    @Test func `identities are the same when their bytes are`() {
        #expect(ProgramIdentity("/\u{E9}") != ProgramIdentity("/e\u{301}"))
        #expect(ProgramIdentity("flatpak:org.signal.Signal") == ProgramIdentity("flatpak:org.signal.Signal"))
        #expect(ProgramIdentity("snap:firefox")?.text == "snap:firefox")
    }

    private func vectors() throws -> [String: Any] {
        try #require(try StoreVectors.load("items.json") as? [String: Any])
    }
}

/// A record as a store gives it; the values of its attributes are hexadecimal.
func info(_ id: String, _ label: String, _ raw: [String: String], kind: String = ItemRecord.kind) throws
    -> RecordInfo
{
    let attributes = try Attributes(bytes: raw.map { ($0.key, Hex.decode($0.value) ?? []) })
    return try info(RecordID(kind, id), label, attributes)
}

/// An item as a store gives it back.
func info(_ item: ItemRecord, modified: UInt64 = 0) throws -> RecordInfo {
    let attributes = try item.recordAttributes()
    return try info(RecordID(ItemRecord.kind, item.id), item.label, attributes, modified: modified)
}

private func info(_ id: RecordID, _ label: String, _ attributes: Attributes, modified: UInt64 = 0)
    -> RecordInfo
{
    RecordInfo(
        id: id,
        revision: 0,
        uid: [UInt8](repeating: 0, count: 16),
        created: 0,
        modified: modified,
        expires: 0,
        label: label,
        attributes: attributes,
        predatesRestore: false
    )
}
