internal import RecordStore

/// A view of a store that reads the index of all records once, however often it lists a kind.
///
/// Each list reads the index of the whole vault, and a sync needs nine lists.
final class SurveyedReader: RecordReader {
    private let reader: any RecordReader
    private var all: (records: [RecordKind: [RecordInfo]], damaged: [DamagedRecord])?

    init(_ reader: any RecordReader) { self.reader = reader }

    var floor: UInt64 { reader.floor }
    var generation: UInt64 { reader.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? { try reader.find(id) }
    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? { try reader.info(id) }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        let survey = try survey(kind, where: attributes)
        if let damaged = survey.damaged.first { throw .tampered(damaged.tampered) }
        return survey.records
    }

    func survey(
        _ kind: RecordKind?,
        where attributes: Attributes
    ) throws(StoreError) -> RecordSurvey {
        guard let kind else { return try reader.survey(nil, where: attributes) }
        if all == nil {
            let survey = try reader.survey(nil)
            all = (Dictionary(grouping: survey.records, by: \.id.kind), survey.damaged)
        }
        return RecordSurvey(
            records: (all?.records[kind] ?? []).filter { $0.attributes.contains(attributes) },
            damaged: (all?.damaged ?? []).filter { $0.mayBe(kind) }
        )
    }
}
