internal import RecordStore

/// The records of a view that can be read, in the order of their names, and those that cannot.
struct SoundReader: RecordReader {
    /// Records that are left out.
    let damaged: [DamagedRecord]
    private let infos: [RecordInfo]
    private let reader: any RecordReader

    /// Reads every record once.
    ///
    /// - Throws: What reading throws, except `tampered`.
    init(_ reader: any RecordReader) throws(StoreError) {
        let survey = try reader.survey(nil)
        var (sound, damaged): ([RecordInfo], [DamagedRecord]) = ([], survey.damaged)
        for info in survey.records {
            do throws(StoreError) {
                // What a newer program wrote stops a copy when it is written.
                if !info.isNewer { _ = try reader.find(info.id) }
                sound.append(info)
            } catch .tampered {
                damaged.append(DamagedRecord(info.id, part: .body))
            }
        }
        (infos, self.damaged, self.reader) = (sound, damaged, reader)
    }

    var floor: UInt64 { reader.floor }
    var generation: UInt64 { reader.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? { try reader.find(id) }
    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? { try reader.info(id) }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        infos.filter { (kind == nil || $0.id.kind == kind) && $0.attributes.contains(attributes) }
    }
}
