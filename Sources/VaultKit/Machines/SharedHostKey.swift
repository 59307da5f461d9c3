internal import SSHFormats
internal import SharedLog

/// A line of known hosts that machines share: an entry of `HostKeyBook`, or an object of the log.
///
/// Schemas/machines.md section 6 describes it.
///
/// The number of the line, the time when a host last showed the key, and a missing line feed stay on each machine.
struct SharedHostKey: SharedItem {
    let entry: HostKeyEntry

    /// Makes a line of the vault; nil for a comment or another line without a host.
    init?(_ entry: HostKeyEntry) {
        guard entry.host != nil else { return nil }
        self.entry = entry
    }

    /// Reads a line from the log, which has no number yet; nil if no line can be made of the object.
    init?(_ object: SharedObject) {
        guard object.sharedKind == .knownHost, let value = try? KnownHostObject(content: object.content),
            !value.line.contains(0x0A)
        else { return nil }
        self.init(value)
        guard entry.host != nil, object.isSame(as: try? self.object()) else { return nil }
    }

    /// A line of the log, with the facts that only this machine knows.
    private init(_ value: KnownHostObject, here: HostKeyEntry? = nil) {
        entry = HostKeyEntry(
            here?.line ?? KnownHostsLine(value.line),
            sequence: here?.sequence ?? 0,
            source: HostKeySource(rawValue: value.source) ?? .firstUse,
            firstSeen: UInt64(value.firstSeen),
            lastSeen: here?.lastSeen,
            state: value.ending,
            isUncompared: value.isUncompared,
            lacksLineFeed: here?.lacksLineFeed ?? false
        )
    }

    /// The lines of a book, each once.
    static func lines(of book: HostKeyBook) -> [ObjectID: SharedHostKey] {
        copies(in: book).compactMapValues { first(of: $0) }
    }

    /// The lines of a book with all their copies.
    static func copies(in book: HostKeyBook) -> [ObjectID: [SharedHostKey]] {
        Dictionary(grouping: book.entries.compactMap { SharedHostKey($0) }, by: \.id)
    }

    /// The copy to share: current lines are preferred to history, and compared lines to others.
    static func first(of copies: [SharedHostKey]) -> SharedHostKey? {
        copies.reduce(nil) { first, line in
            if let first, first.weight >= line.weight { return first }
            return line
        }
    }

    private var weight: (ended: UInt32, isCompared: Int) {
        let ended = entry.isCurrent ? .max : value.ended
        return (ended, entry.isCompared ? 1 : 0)
    }

    /// The object id of the line in the log.
    var id: ObjectID { value.id }
    var name: String { entry.host.map { String(decoding: $0.names.text, as: UTF8.self) } ?? "" }
    var isRemoved: Bool { if case .removed = entry.state { true } else { false } }

    private var value: KnownHostObject {
        var (state, ended, by): (UInt8, UInt64, [UInt8]) = (0, 0, [])
        switch entry.state {
        case .current: break
        case .replaced(let time, let fingerprint): (state, ended, by) = (1, max(1, time), fingerprint.digest)
        case .removed(let time): (state, ended) = (2, max(1, time))
        }
        return KnownHostObject(
            state: state,
            source: entry.source.rawValue,
            isUncompared: entry.isUncompared,
            firstSeen: UInt32(clamping: entry.firstSeen),
            ended: UInt32(clamping: ended),
            replacedBy: by,
            line: entry.line.text
        )
    }

    /// The object for the log; it has no name, and its times are in its content.
    ///
    /// - Throws: `LogError`.
    func object() throws -> SharedObject {
        let value = value
        return try SharedObject(
            kind: SharedKind.knownHost.rawValue,
            id: value.id,
            name: "",
            content: try value.content()
        )
    }

    /// The digests for an index.
    var digests: [RegisterDigest] { value.digests }

    /// Merges the change of this machine with the change in the log: the stricter of both.
    ///
    /// - Parameters:
    ///   - log: The line in the log.
    ///   - base: The registers that both sides had last; none for a line that both machines learned
    ///     independently.
    /// - Returns: the merged line with its number in this vault, and whether both sides changed a part that a
    ///   person set.
    func merged(
        with log: SharedHostKey,
        base: [RegisterDigest]
    ) -> (line: SharedHostKey, isConflict: Bool) {
        let (merged, hasLoss) = value.merged(with: log.value, base: base)
        return (SharedHostKey(merged, here: entry), hasLoss)
    }

    /// Merges the log's state of a line, and decides which first-seen time applies on this machine.
    ///
    /// Another machine can neither delay a plain line, nor advance a line that may have to wait.
    func accepting(
        _ log: SharedHostKey,
        base: [RegisterDigest]?
    ) throws -> (item: SharedHostKey, isConflict: Bool)? {
        let (merged, hasLoss) = value.merged(with: log.value, base: base ?? digests)
        var result = SharedHostKey(merged, here: entry).entry
        result.firstSeen = result.mayWait ? entry.firstSeen : min(entry.firstSeen, log.entry.firstSeen)
        return SharedHostKey(result).map { ($0, hasLoss && entry.host?.names.plainNames != nil) }
    }

    /// Compares without the first-seen time of a line that may have to wait, because each machine has its own.
    func isSaid(by row: LogIndex.Row) throws -> Bool {
        guard entry.mayWait else { return try object().digest() == row.line.digest }
        return row.registers.count == 3 && digests.prefix(2) == row.registers.prefix(2)
    }

    /// Whether the line is current in the log, too.
    func counts(in log: StoredLog) -> Bool {
        entry.isCurrent && log.index[id]?.registers.first == digests.first
    }
}

extension KnownHostObject {
    /// Whether the line is current, or how it ended.
    fileprivate var ending: HostKeyEntry.State {
        switch state {
        case 0: .current
        case 1: .replaced(at: UInt64(ended), by: Fingerprint(sha256: replacedBy))
        default: .removed(at: UInt64(ended))
        }
    }
}
