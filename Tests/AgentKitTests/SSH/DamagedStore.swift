import RecordStore
import Support

/// A store with one record that cannot be read.
final class DamagedStore: Store {
    private struct Reader: RecordReader {
        let reader: any RecordReader
        let id: RecordID
        let part: DamagedRecord.Part

        var floor: UInt64 { reader.floor }
        var generation: UInt64 { reader.generation }
        /// Of one whose name is damaged nothing is known.
        private var record: DamagedRecord { DamagedRecord(part == .meta ? nil : id, part: part) }
        private var error: StoreError { .tampered(.record(record)) }

        func find(_ id: RecordID) throws(StoreError) -> Record? {
            if id == self.id { throw error }
            return try reader.find(id)
        }

        func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
            if id == self.id, part == .meta { throw error }
            return try reader.info(id)
        }

        func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
            guard part != .meta || (kind ?? id.kind) != id.kind else { throw error }
            return try reader.list(kind, where: attributes)
        }

        func survey(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> RecordSurvey {
            let all = try reader.list(kind, where: attributes)
            guard part == .meta, (kind ?? id.kind) == id.kind else {
                return RecordSurvey(records: all, damaged: [])
            }
            return RecordSurvey(records: all.filter { $0.id != id }, damaged: [record])
        }
    }

    private let store: MemoryStore
    private let id: RecordID
    private let part: DamagedRecord.Part

    init(_ store: MemoryStore, _ id: RecordID, part: DamagedRecord.Part) {
        (self.store, self.id, self.part) = (store, id, part)
    }

    var vaultID: [UInt8] { store.vaultID }

    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.read { (reader) throws(StoreError) in
            try body(Reader(reader: reader, id: id, part: part))
        }
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision { try store.commit(changes) }
}
