internal import RecordStore
internal import VaultCrypto

/// A view of a vault in the Secret Service, under the readers' shared lock.
final class KeyringReader: RecordReader {
    private let items: KeyringItems
    private let root: Root
    private let lockFile: VaultLock
    private var held: HeldLock

    init(_ items: KeyringItems, _ root: Root, _ lockFile: VaultLock, _ held: HeldLock) {
        var items = items
        items.view = PagesInView()
        self.items = items
        self.root = root
        self.lockFile = lockFile
        self.held = held
    }

    var floor: UInt64 { root.floor }
    var generation: UInt64 { root.generation }

    func find(_ id: RecordID) throws(StoreError) -> Record? {
        try unlocking { () throws(StoreError) in
            guard let record = try items.record(id, root) else { return nil }
            guard !record.info.isNewer else { throw .newerRecord }
            return Record(info: record.info, body: try items.body(of: record, root))
        }
    }

    func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        try unlocking { () throws(StoreError) in try items.record(id, root)?.info }
    }

    func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        let survey = try survey(kind, where: attributes)
        if let damaged = survey.damaged.first { throw .tampered(.record(damaged)) }
        return survey.records
    }

    func survey(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> RecordSurvey {
        let (records, damaged) = try unlocking { () throws(StoreError) in try items.records(kind, root) }
        return RecordSurvey(
            records: records.map(\.info).filter { $0.attributes.contains(attributes) },
            damaged: damaged
        )
    }

    /// Runs `act`, and once more after unlocking the collection if it was locked.
    ///
    /// The lock is released while the keyring may ask for its password. The view continues only if the vault is unchanged.
    ///
    /// - Throws: `busy` if the vault was changed meanwhile; the errors of `act`, the lock and the service.
    private func unlocking<R>(_ act: () throws(StoreError) -> R) throws(StoreError) -> R {
        do {
            return try act()
        } catch {
            guard error == .keyringLocked else { throw error }
        }
        let line = held.line
        held.giveBack()
        try items.service.unlock([items.collection])
        let again = try lockFile.shared()
        guard again.line == line else { throw .busy }
        held = again
        return try act()
    }
}

extension KeyringItems {
    /// Finds a record; returns nil if it does not exist.
    ///
    /// - Throws: `tampered` if the record may be in an unreadable page.
    func record(_ id: RecordID, _ root: Root) throws(StoreError) -> StoredRecord? {
        try records([id], root)[id]
    }

    /// Finds the existing records among these ids.
    ///
    /// - Throws: `tampered` if such a record may be in an unreadable page.
    func records(_ ids: [RecordID], _ root: Root) throws(StoreError) -> [RecordID: StoredRecord] {
        var found: [RecordID: StoredRecord] = [:]
        var wanted: [RecordID: Root.PageFacts] = [:]
        for id in ids {
            if let entry = root.recent[id] {
                found[id] = entry.record
            } else {
                wanted[id] = root.page(of: id)
            }
        }
        guard !wanted.isEmpty else { return found }
        var pages: [PageID: Root.PageFacts] = [:]
        for page in wanted.values { pages[page.reference.id] = page }
        let read = try self.pages(Array(pages.values), root)
        var present: [PageID: [RecordID: StoredRecord]] = [:]
        for (page, records) in read.records {
            present[page] = [RecordID: StoredRecord](records.map { ($0.id, $0) }) { $1 }
        }
        for (id, page) in wanted {
            guard let records = present[page.reference.id] else {
                throw .tampered(.record(DamagedRecord(id, part: .body)))
            }
            found[id] = records[id]
        }
        return found
    }

    /// Lists the records of a kind (nil = every kind), ascending, and the lost records that may be missing from the list.
    func records(
        _ kind: RecordKind?,
        _ root: Root
    ) throws(StoreError) -> (records: [StoredRecord], damaged: [DamagedRecord]) {
        let wanted = root.pages(of: kind)
        let read = try pages(wanted, root)
        var records: [StoredRecord] = []
        // Append the pages in their order, so that sorting is fast.
        for page in wanted {
            let found = read.records[page.reference.id] ?? []
            let isChanged = root.recent.keys.contains { page.covers($0) }
            records += isChanged ? found.filter { root.recent[$0.id] == nil } : found
        }
        records += root.recent.values.compactMap(\.record)
        if let kind { records.removeAll { $0.id.kind != kind } }
        return (
            records.sorted { $0.id < $1.id },
            read.damaged.flatMap { $0.lost(root) }.filter { $0.mayBe(kind) }
        )
    }
}

extension Root.PageFacts {
    /// Lists the lost records of a page: the first and the last record by name, the others as one entry without a name.
    ///
    /// Records that changed after the page was written are in the recent entries, and so are not lost.
    func lost(_ root: Root) -> [DamagedRecord] {
        let later = root.recent.keys.count { covers($0) }
        var lost = Set([first, last]).filter { root.recent[$0] == nil }.sorted()
            .map { DamagedRecord($0, part: .body) }
        if count > Set([first, last]).count, later < count { lost.append(DamagedRecord(nil, part: .body)) }
        return lost
    }
}
