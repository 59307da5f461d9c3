import RecordStore

/// A view of a `MemoryStore`: its values at one moment.
struct MemoryReader: RecordReader {
    let records: [RecordID: Record]
    let floor: UInt64
    let generation: UInt64

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        records[id].map { Record(info: present($0.info), body: $0.body) }
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        records[id].map { present($0.info) }
    }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        records.values.map(\.info)
            .filter { (kind == nil || $0.id.kind == kind) && $0.attributes.contains(attributes) }
            .sorted { $0.id < $1.id }
            .map(present)
    }

    /// The floor decides what predates a restore, so it is asked at the time of reading.
    private func present(_ info: RecordInfo) -> RecordInfo {
        RecordInfo(
            id: info.id,
            revision: info.revision,
            uid: info.uid,
            created: info.created,
            modified: info.modified,
            expires: info.expires,
            label: info.label,
            attributes: info.attributes,
            predatesRestore: info.revision < floor
        )
    }
}
