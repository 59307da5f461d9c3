/// All known hosts of the vault, with the facts about each line; a value type with mutating changes.
///
/// The current lines form a known_hosts file, and mean what ssh reads in it. All other lines are history:
/// lookups and exports ignore them.
public struct HostKeyBook: Hashable, Sendable {
    /// The largest number of lines, including history.
    public static let maximumEntries = 100_000
    /// The largest size of all lines with their facts in bytes, so that no record exceeds the limit of a store.
    public static let maximumBytes = 15 << 20

    /// The lines, ascending by number.
    public internal(set) var entries: [HostKeyEntry]
    /// The number of the next line.
    private(set) var next: UInt64

    /// Creates an empty book.
    public init() {
        (entries, next) = ([], HostKeyHead.none.next)
    }

    init(_ entries: [HostKeyEntry], next: UInt64) {
        self.entries = entries
        self.next = next
    }

    /// The current lines as a file.
    public var file: KnownHostsFile {
        let current = entries.filter(\.isCurrent)
        return KnownHostsFile(
            current.map(\.line),
            endsWithLineFeed: current.last.map { !$0.lacksLineFeed } ?? false
        )
    }

    /// Checks a key that a host offers; `time` is a Unix time in seconds.
    public func check(_ key: PublicKey, for name: HostName, at time: UInt64) -> HostCheck {
        let names = [name] + [name.withoutPort].compactMap(\.self)
        let lookups = names.map { Array($0.lookup.utf8) }
        let found = entries.filter { entry in
            guard let host = entry.currentHost else { return false }
            return lookups.contains { host.names.matches(lookup: $0) }
        }
        let hosts = HostKeyEntry.counting(found, for: names).compactMap(\.host)
        return HostCheck(key, for: name, among: hosts, at: time)
    }

    /// Returns the current line that a part of a verdict names.
    public func entry(of host: KnownHost) -> HostKeyEntry? {
        entries.first { $0.currentHost == host }
    }

    /// Marks every line that trusts a key as not compared since a restore.
    public mutating func countAsRestored() {
        for index in entries.indices { entries[index].countAsRestored() }
    }

    /// Adds the hosts of an older copy of the book whose names and keys this one does not know.
    public mutating func adopt(from older: HostKeyBook) {
        let names = Set(entries.flatMap { $0.host?.names.plainNames ?? [] })
        let keys = Set(entries.compactMap { $0.host?.key.plain.blob })
        let first = entries.count
        for var entry in older.entries {
            guard let host = entry.currentHost, !keys.contains(host.key.plain.blob),
                (host.names.plainNames ?? []).allSatisfy({ !names.contains($0) })
            else { continue }
            entry.countAsRestored()
            append(entry)
        }
        // An old line with a hashed name or a pattern must wait, or a known host would have two keys.
        delay([Array(entries[first...])], at: 0)
    }

    /// The time for a new line: never before that of an existing line, even if the clock went back.
    func moment(_ time: UInt64) -> UInt64 {
        max(time, entries.lazy.map(\.firstSeen).max() ?? 0)
    }

    /// Returns the time for the lines of an import.
    ///
    /// It is later than all others, which shows that its lines belong together.
    func ownMoment(_ time: UInt64) -> UInt64 {
        let latest = entries.lazy.map(\.firstSeen).max()
        return max(time, latest.map { min($0 + 1, UInt64(UInt32.max)) } ?? 0)
    }

    /// Adds a line at the end.
    @discardableResult
    mutating func append(
        _ line: KnownHostsLine,
        source: HostKeySource,
        firstSeen: UInt64,
        lastSeen: UInt64? = nil,
        lacksLineFeed: Bool = false
    ) -> HostKeyEntry {
        let entry = HostKeyEntry(
            line,
            sequence: next,
            source: source,
            firstSeen: firstSeen,
            lastSeen: lastSeen,
            lacksLineFeed: lacksLineFeed
        )
        append(entry)
        return entry
    }

    /// Adds an entry at the end with a new number.
    mutating func append(_ entry: HostKeyEntry) {
        var entry = entry
        entry.sequence = next
        next += 1
        entries.append(entry)
    }

    /// Throws `oversized` if the book exceeds its limits.
    func checkSize() throws(SSHFormatError) {
        guard entries.count <= Self.maximumEntries else { throw .oversized(limit: Self.maximumEntries) }
        guard entries.allSatisfy({ $0.line.text.count <= HostKeyEntry.longestLine }) else {
            throw .oversized(limit: HostKeyEntry.longestLine)
        }
        guard entries.reduce(0, { $0 + $1.size }) <= Self.maximumBytes else {
            throw .oversized(limit: Self.maximumBytes)
        }
    }
}

extension HostKeyBook {
    /// Removes one whole line with any marker; lines that waited behind it lose the names that the vault
    /// knows.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` if no current line has this number.
    public mutating func remove(line: UInt64, at time: UInt64) throws(SSHFormatError) -> HostKeyEntry {
        guard let index = index(of: line), entries[index].currentHost != nil else { throw .unknownHostKey }
        var book = self
        book.entries[index].state = .removed(at: time)
        try book.endWaiting(since: self, [line], [], at: time)
        try book.checkSize()
        self = book
        return entries[index]
    }

    /// Restores the lines that were last removed from a name.
    ///
    /// A restored line that may have to wait does so for every line added meanwhile.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` if there are none; `changedHostKey` if a name would get a
    ///   second key because it got another one since.
    public mutating func restore(_ name: HostName) throws(SSHFormatError) -> [HostKeyEntry] {
        let removed = entries.filter { entry in
            entry.removedAt != nil && entry.host?.names.matches(name) == true
        }
        let latest = removed.compactMap(\.removedAt).max()
        var book = self
        var restored: [HostKeyEntry] = []
        for entry in removed where entry.removedAt == latest {
            guard let host = entry.host, let index = index(of: entry.sequence) else { continue }
            if host.marker == nil {
                let names = host.names.plainNames ?? [Array(name.lookup.utf8)]
                let keys = names.map { name in counting(for: name).compactMap { $0.host?.key } }
                if keys.allSatisfy({ $0.contains(where: host.key.isSameKey(as:)) }) { continue }
                guard keys.allSatisfy({ $0.isEmpty || $0.contains(where: host.key.isSameKey(as:)) }) else {
                    throw .changedHostKey
                }
            }
            book.entries[index].state = .current
            restored.append(book.entries[index])
        }
        guard let first = restored.map(\.firstSeen).min() else { throw .unknownHostKey }
        book.delay([restored], at: first)
        self = book
        return restored.compactMap { book.entry($0.sequence) }
    }

    /// Erases the lines that were removed before a time, Unix seconds.
    public mutating func purge(removedBefore limit: UInt64) {
        entries.removeAll { $0.wasRemoved(before: limit) }
    }
}
