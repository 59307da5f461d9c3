internal import Files
public import RecordStore

extension FileStore {
    /// Reads and opens everything: pages, slots, every lane, every meta, every secret.
    ///
    /// - Throws: `corrupt` or `tampered` for the first fault.
    public func verify() throws(StoreError) -> VerifyReport {
        try Self.sound(try inspect())
    }

    /// Like `verify`, but reports damaged records instead of throwing.
    ///
    /// - Throws: `corrupt` or `tampered` for a fault outside the records.
    public func inspect() throws(StoreError) -> VerifyReport {
        let (connection, sealer) = try unlocked()
        // Another user who can replace the anchor could put back an old vault unnoticed.
        if let facts = try FileFacts(paths.anchorFolder), facts.letsOthersReplace {
            throw .unsafeFile(path: paths.anchorFolder, .mode(facts.mode))
        }
        return try connection.read { rows throws(StoreError) in try Self.inspect(rows, sealer) }
    }

    /// Verifies one snapshot of any vault file.
    ///
    /// - Throws: `corrupt` or `tampered` for the first fault.
    static func verify(_ rows: SQLRows, _ sealer: Sealer) throws(StoreError) -> VerifyReport {
        try sound(try inspect(rows, sealer))
    }

    private static func sound(_ report: VerifyReport) throws(StoreError) -> VerifyReport {
        if let damaged = report.damaged.first { throw .tampered(damaged.tampered) }
        return report
    }

    /// Like `verify` of a snapshot, but reports damaged records instead of throwing.
    static func inspect(_ rows: SQLRows, _ sealer: Sealer) throws(StoreError) -> VerifyReport {
        let (row, head, slots) = try soundHead(rows, sealer)
        let found = try sealer.verify(rows)
        return VerifyReport(
            records: found.count,
            damaged: found.damaged,
            slots: slots.rows.count,
            position: Position(epoch: row.epoch, generation: head.generation),
            floor: head.floor,
            headTag: row.tag
        )
    }

    /// Verifies pages, head and slots of a snapshot: everything but the records.
    static func soundHead(
        _ rows: SQLRows,
        _ sealer: Sealer
    ) throws(StoreError) -> (row: HeadRow, head: HeadContent, slots: Keyslots) {
        let (row, head) = try soundPages(rows, sealer)
        let slots = try rows.slots()
        try sealer.check(slots, head)
        return (row, head, slots)
    }

    /// Verifies pages and head of a snapshot.
    static func soundPages(
        _ rows: SQLRows,
        _ sealer: Sealer
    ) throws(StoreError) -> (row: HeadRow, head: HeadContent) {
        guard try rows.database.text("PRAGMA integrity_check(1)") == "ok" else { throw .corrupt }
        let row = try rows.head()
        return (row, try sealer.observe(row))
    }

    /// Position, size and events, in one snapshot.
    public func status() throws(StoreError) -> FileStatus {
        let (connection, sealer) = try unlocked()
        let head = try connection.read { rows throws(StoreError) in try sealer.observe(rows.head()) }
        return FileStatus(
            paths: paths,
            position: Position(epoch: sealer.epoch, generation: head.generation),
            records: head.count,
            floor: head.floor,
            isReadOnly: isReadOnly,
            events: noted
        )
    }

    /// Accepts the vault as it is: from then on all its records count as written before a restore.
    ///
    /// The new generation is above everything that the file or the anchor has seen, and becomes the floor.
    ///
    /// - Throws: `rollback` for a copy from before the vault was moved, whose key is no longer valid.
    @discardableResult
    package func acceptRollback() throws(StoreError) -> Revision {
        let seen = [try anchor.read(), furtherAnchor].compactMap { $0?.position }
        return try write(acceptsRollback: true) { sealer, rows throws(StoreError) in
            let found = Position(epoch: sealer.epoch, generation: try sealer.observe(rows.head()).generation)
            if let moved = seen.first(where: { $0.epoch > found.epoch }) {
                throw .rollback(found: found, expected: moved)
            }
            return try sealer.planAcceptingRollback(above: seen.map(\.generation).max() ?? 0, rows)
        }.generation
    }
}

/// The position, size and events of an open vault.
public struct FileStatus: Equatable, Sendable {
    /// The paths of the vault's files.
    public let paths: VaultPaths
    /// The vault's position in its history.
    public let position: Position
    /// The number of records.
    public let records: UInt64
    /// Records with a lower revision were written before the last restore.
    public let floor: UInt64
    /// Whether commits are refused.
    public let isReadOnly: Bool
    /// The events since the vault was opened.
    public let events: [StoreEvent]
}

/// The result of a full verification, with the damaged records.
public struct VerifyReport: Equatable, Sendable {
    /// The number of records opened, with their secrets.
    public let records: Int
    /// The records that fail authentication.
    public let damaged: [DamagedRecord]
    /// Key slots covered by the head's digest.
    public let slots: Int
    /// The commit that was verified.
    public let position: Position
    /// Records with a lower revision were written before the last restore.
    public let floor: UInt64
    /// The 16-byte tag of the head, unique for each state of the vault.
    public let headTag: [UInt8]

    /// The commit that was verified.
    public var generation: UInt64 { position.generation }
}
