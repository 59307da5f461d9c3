internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// The records that a lookup reads: the head, the buckets of the names, and the lines for any name.
struct HostKeyLookup {
    /// The lines about one of the names, history included, in order.
    let entries: [HostKeyEntry]
    /// The current lines among them.
    let current: [HostKeyEntry]

    /// Reads the lines of some names.
    init(_ reader: any RecordReader, for names: [HostName]) throws {
        var found: [HostKeyEntry] = []
        for place in try Self.head(reader).places(for: names) {
            guard let record = try Self.find(place, reader) else { continue }
            found += try Self.entries(in: record, for: names)
        }
        found.sort { $0.sequence < $1.sequence }
        // Copies of a line have equal numbers.
        entries = found.indices.compactMap { index in
            index > 0 && found[index - 1].sequence == found[index].sequence ? nil : found[index]
        }
        current = HostKeyEntry.counting(entries, for: names)
    }

    /// The current lines, as known hosts.
    var hosts: [KnownHost] { current.compactMap(\.host) }

    /// All lines; lines that wait for a person's decision are marked.
    var summaries: [HostKeySummary] {
        let counting = Set(current.map(\.sequence))
        return entries.compactMap { entry in
            HostKeySummary(entry, isWaiting: entry.isCurrent && !counting.contains(entry.sequence))
        }
    }

    /// The changes that record in each copy of a line that it was seen now.
    ///
    /// Nil if the line was deleted, or was recorded as seen a short time ago.
    static func noting(
        _ entry: HostKeyEntry,
        at time: UInt64,
        _ reader: any RecordReader
    ) throws -> ChangeSet? {
        var changes = ChangeSet(floor: reader.floor)
        for place in try head(reader).places(of: entry) {
            guard let record = try find(place, reader) else { continue }
            let content = try Self.content(of: record)
            guard let new = try entry.noted(at: time, in: content) else { continue }
            changes.put(
                try HostKeyTransaction.draft(of: new, at: place),
                expecting: record.info.revision
            )
        }
        return changes.changes.isEmpty ? nil : changes
    }

    private static func head(_ reader: any RecordReader) throws -> HostKeyHead {
        let record = try find(.head, reader)
        return try HostKeyHead(content: record?.body.withBytes { $0.copied() })
    }

    private static func entries(in record: Record, for names: [HostName]) throws -> [HostKeyEntry] {
        try HostKeyEntry.entries(in: content(of: record), for: names)
    }

    /// The content of a record; after a restore its lines count as not compared.
    private static func content(of record: Record) throws(SSHFormatError) -> [UInt8] {
        let content = record.body.withBytes { $0.copied() }
        return record.info.predatesRestore ? try HostKeyEntry.restored(content) : content
    }

    private static func find(_ place: HostKeyPlace, _ reader: any RecordReader) throws -> Record? {
        let id = try HostKeyTransaction.id(of: place)
        return try reader.find(id)
    }
}
