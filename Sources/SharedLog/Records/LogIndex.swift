package import VaultCrypto

/// The objects of the log, each with the revision of its record in the vault: the records `log.index` (Schemas/machines.md section 9).
///
/// An object is in the bucket of its id's first byte, and only buckets that changed are written.
package struct LogIndex: Sendable {
    /// An object as the log has it.
    package struct Row: Hashable, Sendable {
        /// What the digest of the state needs of it.
        package let line: LogState.Line
        /// The registers as the log has them.
        package let registers: [RegisterDigest]
        /// The revision of the record that says the same; 0 if no record does.
        package let revision: UInt64

        /// The revision of a row whose record was missing after a restore or repair: the object is not deleted from the log
        /// before a person agrees.
        package static let missing = UInt64.max
        /// The revision of a row whose record stays on its machine by now, or cannot be read: others keep the object, also if
        /// the record goes.
        package static let apart = UInt64.max - 1

        /// Whether the object stays in the log although no record says it.
        package var isWithheld: Bool { revision >= Self.apart }

        /// A row.
        package init(_ line: LogState.Line, _ registers: [RegisterDigest], revision: UInt64) {
            (self.line, self.registers, self.revision) = (line, registers, revision)
        }
    }

    private var buckets = [[ObjectID: Row]](repeating: [:], count: 256)
    /// The buckets that differ from what was loaded, ascending.
    package private(set) var changed: Set<UInt8> = []

    /// An index of nothing.
    package init() {}

    /// The row of an object; nil if the log has none.
    package subscript(id: ObjectID) -> Row? {
        get { buckets[Int(id.firstByte)][id] }
        set {
            guard buckets[Int(id.firstByte)][id] != newValue else { return }
            buckets[Int(id.firstByte)][id] = newValue
            changed.insert(id.firstByte)
        }
    }

    /// The index as it is once its changes are written.
    package var saved: LogIndex {
        var index = self
        index.changed = []
        return index
    }

    /// The index without any row.
    package var emptied: LogIndex {
        var index = self
        for (id, _) in rows { index[id] = nil }
        return index
    }

    /// All rows, ascending by their ids.
    package var rows: [(id: ObjectID, row: Row)] { rows { _, _ in true } }

    /// The rows for which a condition holds, ascending by their ids.
    package func rows(where isWanted: (ObjectID, Row) throws -> Bool) rethrows -> [(id: ObjectID, row: Row)] {
        var wanted: [(id: ObjectID, row: Row)] = []
        for bucket in buckets {
            // By places, since a row is copied for a loop over the rows themselves.
            for index in bucket.indices where try isWanted(bucket.keys[index], bucket.values[index]) {
                wanted.append((bucket.keys[index], bucket.values[index]))
            }
        }
        return wanted.sorted { $0.id < $1.id }
    }

    /// The line of every object in the state of the log.
    package var lines: [(ObjectID, LogState.Line)] {
        buckets.flatMap { bucket in bucket.map { ($0.key, $0.value.line) } }
    }

    /// Reads the content of the record of a bucket.
    ///
    /// - Throws: `newerEntry`; `logTampered`, also for a row of another bucket.
    package mutating func load(_ bucket: UInt8, _ content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        var rows: [ObjectID: Row] = [:]
        var last: ObjectID?
        while !reader.isAtEnd {
            let id: ObjectID = try reader.identifier()
            guard id.firstByte == bucket, last.map({ $0 < id }) ?? true else { throw LogError(.logTampered) }
            last = id
            let kind = try reader.byte()
            let name = try reader.text(limit: LogLimits.objectName)
            let line = LogState.Line(
                kind: kind,
                name: name,
                place: try reader.uint64(),
                digest: try reader.take(32)
            )
            let revision = try reader.uint64()
            var registers: [RegisterDigest] = []
            for _ in 0..<(try reader.byte()) {
                guard let digest = RegisterDigest(bytes: try reader.take(RegisterDigest.size)) else {
                    throw LogError(.logTampered)
                }
                registers.append(digest)
            }
            rows[id] = Row(line, registers, revision: revision)
        }
        buckets[Int(bucket)] = rows
    }

    /// The content of the record of a bucket; nil for an empty one, which has no record.
    ///
    /// - Throws: `outOfMemory`.
    package func content(of bucket: UInt8) throws(LogError) -> Secret? {
        let rows = buckets[Int(bucket)].sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return nil }
        var writer = try LogWriter.object([])
        for (id, row) in rows {
            try writer.raw(id.bytes + [row.line.kind])
            try writer.short(row.line.name.utf8)
            try writer.number(row.line.place)
            try writer.raw(row.line.digest)
            try writer.number(row.revision)
            try writer.raw([UInt8(clamping: row.registers.count)])
            for register in row.registers.prefix(255) { try writer.raw(register.bytes) }
        }
        return try writer.content()
    }
}

/// Entries that are durable and not in the log yet: the record `log.out`.
package struct LogOut: Sendable {
    /// The entries, to be created together.
    package let entries: [WrittenEntry]
    /// The revisions of the records that went into them.
    package let revisions: [ObjectID: UInt64]

    /// Entries, and what went into them.
    package init(_ entries: [WrittenEntry], revisions: [ObjectID: UInt64]) {
        (self.entries, self.revisions) = (entries, revisions)
    }

    /// Reads the content of the record.
    ///
    /// - Throws: `newerEntry`; `logTampered`; `outOfMemory`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        var entries: [WrittenEntry] = []
        for _ in 0..<(try reader.byte()) {
            let bytes = try reader.string(limit: LogLimits.entry)
            let frame = try EntryFrame(bytes)
            entries.append(WrittenEntry(head: frame.head, bytes: bytes))
        }
        var revisions: [ObjectID: UInt64] = [:]
        let count = try reader.checked(try reader.uint32(), limit: LogLimits.objects)
        for _ in 0..<count {
            let id: ObjectID = try reader.identifier()
            revisions[id] = try reader.uint64()
        }
        try reader.finish()
        self.init(entries, revisions: revisions)
    }

    /// The content of the record.
    ///
    /// - Throws: `logTooLarge` for more than 255 entries; `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        guard entries.count <= 255 else { throw LogError(.logTooLarge) }
        var writer = try LogWriter.object([UInt8(entries.count)])
        for entry in entries { try writer.string(entry.bytes) }
        try writer.number(UInt32(revisions.count))
        for (id, revision) in revisions.sorted(by: { $0.key < $1.key }) {
            try writer.raw(id.bytes)
            try writer.number(revision)
        }
        return try writer.content()
    }
}
