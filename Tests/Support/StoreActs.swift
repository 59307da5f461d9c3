internal import RecordStore
internal import VaultCrypto

extension StorePromise {
    static func secret(_ text: String) throws -> Secret {
        try Secret(copying: Array(text.utf8))
    }

    static func text(_ record: Record) -> String {
        String(decoding: record.body.withBytes { $0.copied() }, as: UTF8.self)
    }

    static func find(_ store: any Store, _ id: RecordID) throws -> Record? {
        try store.read { reader throws(StoreError) in try reader.find(id) }
    }

    static func info(_ store: any Store, _ id: RecordID) throws -> RecordInfo? {
        try store.read { reader throws(StoreError) in try reader.info(id) }
    }

    static func list(
        _ store: any Store,
        _ kind: String?,
        _ attributes: [String: String] = [:]
    ) throws -> [String] {
        let kind = try kind.map { try RecordKind($0) }
        let wanted = try Attributes(attributes)
        return try store.read { reader throws(StoreError) in try reader.list(kind, where: wanted) }
            .map(\.id.description)
    }

    @discardableResult
    static func put(
        _ store: any Store,
        _ id: RecordID,
        _ text: String,
        _ attributes: Attributes = .none
    ) throws -> Revision {
        let (floor, revision) = try store.read { reader throws(StoreError) in
            (reader.floor, try reader.info(id)?.revision ?? 0)
        }
        var changes = ChangeSet(floor: floor)
        changes.put(RecordDraft(id: id, attributes: attributes, body: try secret(text)), expecting: revision)
        return try store.commit(changes)
    }
}
