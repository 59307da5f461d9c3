import RecordStore
import Support

/// A store with one record that cannot be vouched for; nil for every one of the passwords.
final class DamagedStore: Store {
    private let store: MemoryStore
    private let victim: RecordID?

    init(_ store: MemoryStore, _ victim: RecordID?) { (self.store, self.victim) = (store, victim) }

    var vaultID: [UInt8] { store.vaultID }

    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.read { (reader) throws(StoreError) in
            try body(DamagedReader(reader: reader, victim: victim))
        }
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision { try store.commit(changes) }
}

private struct DamagedReader: RecordReader {
    let reader: any RecordReader
    let victim: RecordID?

    private var damaged: DamagedRecord { DamagedRecord(victim, part: .meta) }

    private func check(_ id: RecordID) throws(StoreError) {
        guard id == victim || victim == nil && id.kind.rawValue == "secret" else { return }
        throw .tampered(.record(DamagedRecord(id, part: .meta)))
    }
    var floor: UInt64 { reader.floor }
    var generation: UInt64 { reader.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        try check(id)
        return try reader.find(id)
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        try check(id)
        return try reader.info(id)
    }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        guard !damaged.mayBe(kind) else { throw .tampered(.record(damaged)) }
        return try reader.list(kind, where: attributes)
    }

    func survey(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> RecordSurvey {
        guard damaged.mayBe(kind) else {
            return RecordSurvey(records: try reader.list(kind, where: attributes), damaged: [])
        }
        let sound = try reader.list(kind, where: attributes).filter { $0.id != victim }
        return RecordSurvey(records: sound, damaged: [damaged])
    }
}
