internal import RecordStore

/// A view of a store that reads the index of all records once, however often it lists a kind.
///
/// Each list reads the index of the whole vault, and a sync needs nine lists.
final class SurveyedReader: RecordReader {
    private let reader: any RecordReader
    private var known: KnownRecords?
    /// The damaged records; nil before the first list.
    private var damaged: [DamagedRecord]?

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - reader: A view of the store.
    ///   - known: The records that an earlier operation remembered.
    init(_ reader: any RecordReader, _ known: KnownRecords?) { (self.reader, self.known) = (reader, known) }

    var floor: UInt64 { reader.floor }
    var generation: UInt64 { reader.generation }

    /// The records for the next operation; nil if no list was read, or a record is damaged.
    var found: KnownRecords? { damaged?.isEmpty == true ? known : nil }

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
        if damaged == nil { try look() }
        return RecordSurvey(
            records: attributes.isEmpty
                ? known?[kind] ?? [] : (known?[kind] ?? []).filter { $0.attributes.contains(attributes) },
            damaged: (damaged ?? []).filter { $0.mayBe(kind) }
        )
    }

    private func look() throws(StoreError) {
        if try known?.refresh(from: reader) == true {
            damaged = []
        } else {
            let survey = try reader.survey(nil)
            (known, damaged) = (KnownRecords(survey.records, of: reader), survey.damaged)
        }
    }
}

/// The index of all records as of one commit.
struct KnownRecords {
    private static let mostChanged = 1_000

    private var records: [RecordKind: [RecordInfo]]
    private var generation: UInt64
    private let floor: UInt64
    /// Records that later commits of this vault wrote or deleted.
    private var changed: Set<RecordID> = []

    fileprivate init(_ records: [RecordInfo], of reader: any RecordReader) {
        self.records = Dictionary(grouping: records, by: \.id.kind)
        (generation, floor) = (reader.generation, reader.floor)
    }

    fileprivate subscript(kind: RecordKind) -> [RecordInfo]? { records[kind] }

    /// The known records after a commit of this vault.
    ///
    /// Nil if another commit came before it, or if reading all records again is cheaper.
    func following(_ commit: Vault.Commit) -> KnownRecords? {
        guard commit.revision == generation + 1 else { return nil }
        var next = self
        next.generation = commit.revision
        next.changed.formUnion(commit.changes.changes.map(\.id))
        return next.changed.count <= Self.mostChanged ? next : nil
    }

    /// Reads the changed records; false if the view shows another state of the vault.
    fileprivate mutating func refresh(from reader: any RecordReader) throws(StoreError) -> Bool {
        guard generation == reader.generation, floor == reader.floor else { return false }
        for id in changed { put(try reader.info(id), at: id) }
        changed = []
        return true
    }

    private mutating func put(_ info: RecordInfo?, at id: RecordID) {
        var infos = records.removeValue(forKey: id.kind) ?? []
        let place = infos.place(of: id.name)
        let isThere = place < infos.count && infos[place].id == id
        infos.replaceSubrange(place..<(isThere ? place + 1 : place), with: info.map { [$0] } ?? [])
        records[id.kind] = infos
    }
}

extension [RecordInfo] {
    /// The index of the record with this name in a sorted list of one kind, or the index at which to insert it.
    func place(of name: String) -> Int {
        var (start, end) = (0, count)
        while start < end {
            let middle = (start + end) / 2
            if self[middle].id.name < name { start = middle + 1 } else { end = middle }
        }
        return start
    }
}
