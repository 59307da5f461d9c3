internal import RecordStore
internal import SSHFormats
internal import SharedLog
internal import VaultCrypto

/// The lines of known hosts in a sync.
///
/// One record contains several lines, so changes are found by comparing lines, not revisions. If the records are
/// unreadable, no line is sent, and received lines are kept aside.
struct SharedHostKeys: SharedCollection {
    /// Free lines that are reserved for names which are split off from a line.
    private static let reserve = 1_000

    private var known: HostKeyTransaction?
    private let before: HostKeyBook
    private var lines: [ObjectID: SharedHostKey] = [:]
    /// The numbers of all copies of a line.
    private var copies: [ObjectID: [UInt64]] = [:]
    private var size = 0
    /// The numbers of the received lines, by the places of their entries.
    private var arrivals: [UInt64: [UInt64]] = [:]
    private var authors: [UInt64: String] = [:]

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        do {
            known = try HostKeyTransaction(reader, now: now, entropy: entropy)
        } catch {
            switch VaultError(error) {
            case .store(.newerRecord), .store(.tampered(.record)), .ssh(.format): known = nil
            default: throw error
            }
        }
        before = known?.book ?? HostKeyBook()
        size = before.entries.reduce(0) { $0 + $1.size }
        look()
    }

    var now: UInt64 { known?.now ?? 0 }
    var isWhole: Bool { known != nil }
    /// Sorts by the text of the lines, so that the lines of one host are sent together.
    func ids(where isWanted: (ObjectID) throws -> Bool) rethrows -> [ObjectID] {
        try lines.filter { try isWanted($0.key) }
            .sorted { $0.value.entry.line.text.lexicographicallyPrecedes($1.value.entry.line.text) }
            .map(\.key)
    }

    func has(_ id: ObjectID) -> Bool { lines[id] != nil }
    func find(_ id: ObjectID) -> SharedHostKey? { lines[id] }
    func revision(of id: ObjectID) -> Revision { 0 }
    func isUnchanged(_ id: ObjectID, _ row: LogIndex.Row) throws -> Bool {
        try lines[id]?.isSaid(by: row) ?? false
    }

    func changes() throws -> ChangeSet? { try known?.changes() }

    mutating func write(
        _ item: SharedHostKey,
        _ row: LogIndex.Row,
        _ arrival: SharedArrival,
        _ log: StoredLog,
        _ report: inout SyncTransaction.Report
    ) throws -> Revision? {
        guard hasRoom(for: item), let number = known?.book.put(item.entry, copies: copies[item.id] ?? [])
        else { return nil }
        if lines[item.id] == nil { size += item.entry.size }
        copies[item.id, default: []].append(number)
        look(at: item.id)
        arrivals[arrival.place, default: []].append(number)
        authors[number] = arrival.author
        return 0
    }

    private func hasRoom(for item: SharedHostKey) -> Bool {
        guard let known else { return false }
        return lines[item.id] != nil
            || known.book.entries.count + Self.reserve < HostKeyBook.maximumEntries
                && size + item.entry.size < HostKeyBook.maximumBytes * 9 / 10
    }

    mutating func setAside(
        _ item: SharedHostKey,
        _ arrival: SharedArrival,
        _ report: inout SyncTransaction.Report
    ) {}

    mutating func remove(_ id: ObjectID) {
        guard let trash = known?.trash, let numbers = copies[id] else { return }
        known?.book.remove(numbers, at: trash.removalTime, erasingRemovedBefore: trash.limit)
        look(at: id)
    }

    /// Decides which keys are current, after all lines were received.
    mutating func settle(_ log: StoredLog, _ report: inout SyncTransaction.Report) throws {
        guard var book = known?.book, book != before, let now = known?.now else { return }
        let came = arrivals.sorted { $0.key < $1.key }.map(\.value)
        let disputes = try book.settle(came, since: before, at: now) { entry in
            SharedHostKey(entry)?.counts(in: log) ?? false
        }
        for dispute in disputes {
            let arrival = SharedArrival(author: authors[dispute.line] ?? "")
            report.hostKeysDiffer[dispute.name] = arrival.author
            report.note(.hostKeys, SharedKind.knownHost.rawValue, dispute.name, arrival, now)
        }
        known?.book = book
        arrivals = [:]
        look()
    }

    /// Reads all lines of the book.
    private mutating func look() {
        let all = SharedHostKey.copies(in: known?.book ?? before)
        copies = all.mapValues { $0.map(\.entry.sequence) }
        lines = all.compactMapValues { SharedHostKey.first(of: $0) }
    }

    private mutating func look(at id: ObjectID) {
        let all = Set(copies[id] ?? []).sorted().compactMap { known?.book.entry($0) }
        copies[id] = all.map(\.sequence)
        lines[id] = SharedHostKey.first(of: all.compactMap { SharedHostKey($0) })
    }
}
