import RecordStore
import Secrets
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

    @Test func `many attributes, long ones and a long label come back as they were, in one form only`() throws
    {
        let many = (0..<512).map { pair("a\($0)", "v") }
        let long = [pair(String(repeating: "n", count: 1_024), String(repeating: "v", count: 16 << 10))]
        let full = (0..<3).map { pair("\($0)", String(repeating: "v", count: (16 << 10) - 1)) }
        for pairs in [many, long, full, [pair(String(repeating: "n", count: 64), "")]] {
            var item = ItemRecord(
                id: "i",
                collection: String(repeating: "c", count: 200),
                label: String(repeating: "l", count: 4_096),
                attributes: try ItemAttributes(pairs),
                owner: ProgramIdentity("/" + String(repeating: "o", count: 254))
            )
            item.readers = (0..<16).compactMap {
                ProgramIdentity("/" + String(repeating: "r", count: 252) + "\($0 + 10)")
            }
            item.contentType = String(repeating: "t", count: 128)
            (item.removedAt, item.changed, item.bytes) = (253_402_300_799, 253_402_300_799_000, 16 << 20)
            let attributes = try item.recordAttributes()
            let id = try RecordID(ItemRecord.kind, item.id)
            try RecordDraft(
                id: id,
                label: item.recordLabel,
                attributes: attributes,
                body: try Secret(copying: [1])
            ).check()
            #expect(try ItemRecord(try info(item)) == item)
            // One part less, or one that is cut, is none.
            for change in [nil, [UInt8](repeating: 0, count: 3)] as [[UInt8]?] {
                var raw = Dictionary(attributes.all.map { ($0.name, Hex.encode($0.value)) }) { $1 }
                let parts = raw.keys.filter { $0.hasPrefix("part-") }
                let last = try #require(parts.max())
                guard change != nil || parts.count > 1 else { continue }
                raw[last] = change.map { Hex.encode($0) }
                #expect(throws: ServiceError.badItem) { try ItemRecord(try info("i", "", raw)) }
            }
        }
        // What has room in a record is never in parts.
        let small: [String: String] = [
            "collection": Hex.encode(Array("login".utf8)), "part-00": "0001610001" + "62",
        ]
        #expect(throws: ServiceError.badItem) { try ItemRecord(try info("i", "", small)) }
    }

    @Test func `what is beyond a limit is not written`() throws {
        let good = ItemRecord(id: "i", collection: "login", label: "", attributes: .none, owner: nil)
        _ = try good.recordAttributes()
        let changes: [(inout ItemRecord) -> Void] = [
            { $0.collection = "" }, { $0.collection = String(repeating: "c", count: 201) },
            { $0.label = String(repeating: "l", count: 4_097) }, { $0.changed = 253_402_300_799_001 },
            { $0.contentType = "" },
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
    return try info(RecordID(ItemRecord.kind, item.id), item.recordLabel, attributes, modified: modified)
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
