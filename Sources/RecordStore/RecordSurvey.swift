/// What is sound of a list, and what is not: for those who show what there is, never for those who decide by it.
public struct RecordSurvey: Sendable {
    /// The records that can be vouched for.
    public internal(set) var records: [RecordInfo]
    /// Every damaged record that the list may be short of.
    public internal(set) var damaged: [DamagedRecord]

    package init(records: [RecordInfo], damaged: [DamagedRecord]) {
        self.records = records
        self.damaged = damaged
    }
}
