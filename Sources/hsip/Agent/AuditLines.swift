internal import Commands
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// Formats entries of the audit log for a terminal: equal entries of a minute become one line with their number.
struct AuditLines {
    /// Entries that differ only in their time and number.
    struct Line: Equatable {
        /// The last of the entries.
        var record: AuditRecord
        var count = 1
    }

    private(set) var lines: [Line] = []

    init(_ records: [AuditRecord]) {
        var places: [AuditEntry: Int] = [:]
        for record in records {
            var entry = record.entry
            entry.time /= 60_000
            entry.process = 0
            if let place = places[entry] {
                lines[place].count += 1
                lines[place].record = record
            } else {
                places[entry] = lines.count
                lines.append(Line(record: record))
            }
        }
        // The newest entry is always in the last line.
        lines.sort { $0.record.sequence < $1.record.sequence }
    }

    /// Returns the last lines as a table.
    func table(last: Int, _ context: Context) -> Table {
        let lines = lines.suffix(last)
        let repeats = lines.contains { $0.count > 1 }
        var table = Table(
            [Column("time")] + (repeats ? [Column("times", .right, .whole)] : [])
                + [
                    Column("number", .left, .whole, spare: 5), Column("kind", .left, .whole, spare: 3),
                    Column("verdict", .left, .whole), Column("what", .left, .whole),
                    Column("subject", .left, .whole), Column("to", spare: 2),
                    Column("reason", .left, .whole, spare: 4), Column("program", .left, .wrapped, spare: 1),
                ]
        )
        for line in lines {
            var cells = AuditList.cells(line.record, context)
            if repeats { cells.insert(Cell("\(line.count)"), at: 1) }
            cells.append(program(line.record.entry.program, context))
            table.add(cells)
        }
        return table
    }

    /// Returns the requesting program by its path; in a wide window, also its ancestors.
    ///
    /// A long path loses folders at its beginning, but no part of the program's name.
    private func program(_ chain: String, _ context: Context) -> Cell {
        let programs = chain.split(separator: " ← ").map(String.init)
        guard let first = programs.first, context.console.window.columns < Self.wide else {
            return Cell(own: chain, context.output.display)
        }
        let whole = context.path(first)
        var path = whole.shown[...]
        while path.count > Self.longestPath, let slash = path.dropFirst().firstIndex(of: "/") {
            path = path[slash...]
        }
        return Cell((path.startIndex == whole.shown.startIndex ? "" : "…") + path, value: chain)
    }

    /// The width from which every ancestor is shown.
    private static let wide = 120
    /// The width of a path in a narrower window.
    private static let longestPath = 32
}

/// Describes the damage of an audit log in words.
enum AuditTexts {
    /// Returns a failure with exit code 11 and a description; nil if the log is intact.
    static func failure(_ report: AuditReport) -> Failure? {
        guard !report.isWhole else { return nil }
        let words = report.findings.prefix(3).map(Self.words).joined(separator: "; ")
        return Failure(
            .auditDamaged,
            "the audit log is not whole: \(words)",
            hint: "hsip audit --kind log",
            details: .auditReport(report)
        )
    }

    /// Checks the log; returns why it is damaged, or cannot be used.
    static func problem(of vault: any VaultService) async throws -> Failure? {
        do {
            return failure(try await vault(Operations.checkAudit))
        } catch VaultError.audit(let error) {
            return Failure(error)
        }
    }

    /// Returns a description for people.
    private static func words(_ finding: AuditFinding) -> String {
        switch finding {
        case .unreadableFile(let number): "file \(number) cannot be read"
        case .damaged(let file, let after): "file \(file) was changed after entry \(after) or before it"
        case .gap(let after, let found): "after entry \(after) comes \(found)"
        case .missingStart(let first): "the log begins with entry \(first)"
        case .missingEnd(let found, let expected):
            "the log ends with entry \(found), and the vault remembers entry \(expected)"
        case .otherHistory(let sequence): "entry \(sequence) differs from the entry in the vault's memory"
        case .noted(let sequence): "entry \(sequence) reports damage"
        }
    }
}

extension Context {
    /// Warns of a damaged audit log during a command about something else, which continues.
    func warnOfAudit(_ vault: any VaultService) async throws {
        guard let failure = try await AuditTexts.problem(of: vault) else { return }
        output.warn(
            Warning(
                "auditNotWhole",
                failure.message,
                hint: "hsip audit verify",
                fields: ["reason": .text(failure.name)]
            )
        )
    }
}

extension JSONValue {
    /// Returns the result of checking the audit log.
    static func auditReport(_ report: AuditReport) -> JSONValue {
        [
            "count": .integer(Int64(clamping: report.count)),
            "first": .optional(report.first.map { Int64(clamping: $0) }),
            "last": .optional(report.last.map { Int64(clamping: $0) }),
            "files": .integer(Int64(report.files)),
            "marked": .integer(Int64(clamping: report.marked)),
            "findings": .list(report.findings.map { .text($0.name) }),
        ]
    }
}
