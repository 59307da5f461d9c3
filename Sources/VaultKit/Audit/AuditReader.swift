internal import Files
internal import Glibc
package import VaultCrypto

/// Reads an audit log without changing anything.
package struct AuditReader {
    private let place: AuditPlace
    private let seal: AuditSeal
    /// The newest position that the vault knows.
    private let mark: AuditMark

    /// Makes a reader for the log that was written with the same `folder`, `key` and `mark`.
    package init(folder: String, vaultID: [UInt8], key: Secret, mark: AuditMark) {
        place = AuditPlace(folder: folder, vaultID: vaultID)
        seal = AuditSeal(key: key, vaultID: vaultID)
        self.mark = mark
    }

    /// Returns the newest entries that match the query, the oldest first.
    package func entries(_ query: AuditQuery) throws(AuditError) -> [AuditRecord] {
        let maximum = min(max(query.last, 0), AuditQuery.maximum)
        var found: [AuditRecord] = []
        try walk { _, file throws(AuditError) in
            _ = try AuditWalk(file, seal) { record, _ in
                guard query.wants(record) else { return }
                found.append(record)
                if found.count >= 2 * maximum + 64 { found.removeFirst(found.count - maximum) }
            }
        }
        return found.suffix(maximum)
    }

    /// Checks every entry, their order, and that the log reaches the position that the vault knows.
    package func check() throws(AuditError) -> AuditReport {
        var report = AuditReport()
        report.marked = mark.sequence
        var last: AuditMark?
        try walk { number, file throws(AuditError) in
            report.files += 1
            var noted: [AuditFinding] = []
            let walk = try AuditWalk(file, seal) { record, place in
                report.count += 1
                report.first = report.first ?? record.sequence
                report.last = record.sequence
                if record.entry.kind == .log { noted.append(.noted(sequence: record.sequence)) }
                if place.sequence == mark.sequence, place != mark {
                    noted.append(.otherHistory(sequence: mark.sequence))
                }
            }
            guard let header = walk.header else {
                report.findings.append(.unreadableFile(number))
                last = walk.last
                return
            }
            compare(header, last, &report)
            report.findings += noted
            if !walk.isWhole {
                report.findings.append(.damaged(file: header.segment, after: walk.last.sequence))
            }
            last = walk.last
        }
        let start = report.findings.firstIndex { if case .missingStart = $0 { true } else { false } }
        // If the log has deleted its oldest file, it does not start at entry 1.
        if let start, report.files >= AuditPlace.maximumSegments { report.findings.remove(at: start) }
        let end = last?.sequence ?? 0
        if end < mark.sequence {
            report.findings.append(.missingEnd(found: end, expected: mark.sequence))
        }
        return report
    }

    /// Compares the start of a file with the end of the file before it.
    private func compare(_ header: AuditHeader, _ last: AuditMark?, _ report: inout AuditReport) {
        let start = header.start.sequence
        guard let last else {
            if start > 0 { report.findings.append(.missingStart(first: start + 1)) }
            return
        }
        if header.start != last { report.findings.append(.gap(after: last.sequence, found: start + 1)) }
    }

    /// Passes the existing files to `body`, the oldest first, while no process writes to them.
    private func walk(_ body: (UInt32, AuditFile) throws(AuditError) -> Void) throws(AuditError) {
        guard let folder = try AuditFile.open(place.folder, O_RDONLY | O_DIRECTORY) else { return }
        try folder.lock(.shared)
        defer { folder.unlock() }
        let closed = place.closedSegments()
        let all = closed.map { ($0, place.closed($0)) } + [((closed.last ?? 0) &+ 1, place.current)]
        for (number, path) in all {
            try place.check(path)
            if let file = try AuditFile.open(path, O_RDONLY) { try body(number, file) }
        }
    }
}

/// A query for entries of the audit log.
public struct AuditQuery: Hashable, Sendable, Codable {
    /// The most entries in one answer.
    public static let maximum = 10_000

    /// Only entries from this time on, Unix milliseconds.
    public var since: UInt64?
    /// Only entries of these kinds; empty for every kind.
    public var kinds: [AuditKind]
    /// Only refused requests.
    public var onlyRefused: Bool
    /// Only entries of the lease with this number, and of the acts that it allowed.
    public var lease: UInt64?
    /// The number of entries to return, the newest ones.
    public var last: Int

    /// Makes a query for the last entries of all kinds.
    public init(
        since: UInt64? = nil,
        kinds: [AuditKind] = [],
        onlyRefused: Bool = false,
        lease: UInt64? = nil,
        last: Int = maximum
    ) {
        self.since = since
        self.kinds = kinds
        self.onlyRefused = onlyRefused
        self.lease = lease
        self.last = last
    }

    func wants(_ record: AuditRecord) -> Bool {
        let entry = record.entry
        if let lease, !entry.isOfLease(lease, numbered: record.sequence) { return false }
        if let since, entry.time < since { return false }
        if onlyRefused, entry.verdict != .refused { return false }
        return kinds.isEmpty || kinds.contains(entry.kind)
    }
}
