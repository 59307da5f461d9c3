internal import Commands
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// Entries of the audit log as lines of a terminal: equal ones of a minute are one line with a number.
struct AuditLines {
    /// Entries that differ in their time and number only.
    struct Line: Equatable {
        /// The last of them.
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
        // The newest entry is always on the last line.
        lines.sort { $0.record.sequence < $1.record.sequence }
    }

    /// The last lines, so many.
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

    /// The program that asked, by its path; in a wide window also its ancestors.
    ///
    /// A long path loses folders at its beginning, and never a part of the program's name.
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

    /// From here on a window has room for every ancestor.
    private static let wide = 120
    /// Columns of a path in a narrower window.
    private static let longestPath = 32
}
