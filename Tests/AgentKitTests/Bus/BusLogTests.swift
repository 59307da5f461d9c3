import Audit
import Testing

@testable import AgentKit

@Suite struct BusLogTests {
    private static let program = "/usr/bin/a"

    private func entry(_ subject: String, _ kind: AuditKind = .read, reason: String = "ownItem") -> AuditEntry
    {
        AuditEntry(
            kind,
            .allowed,
            time: 0,
            reason: reason,
            act: kind == .read ? "item.get" : "item.set",
            subject: subject,
            program: "\(Self.program) ← bash"
        )
    }

    /// What is written of an entry: counts, and then the entry.
    private func write(
        _ log: inout BusLog,
        _ entry: AuditEntry,
        of program: String = program,
        at moment: UInt64
    ) -> [String] {
        var due = log.take(entry, of: program, at: moment)
        if let entry = due.entry { due.counts += log.wrote(entry, of: program, at: moment) + [entry] }
        return due.counts.map { "\($0.subject) \($0.reason)" }
    }

    @Test func `equal entries of a minute are one, and their number is written when it is over`() {
        var log = BusLog()
        let before = [0, 1, 59].map { write(&log, entry("x (1)"), at: $0) }
        #expect(before == [["x (1) ownItem"], [], []])
        let after = [60, 61].map { write(&log, entry("x (1)"), at: $0) }
        #expect(after == [["x (1) ownItem:2more", "x (1) ownItem"], []])
        let rest = log.end().map(\.reason)
        #expect(rest == ["ownItem:1more"])
        let none = log.end()
        #expect(none.isEmpty)
    }

    @Test func `what differs in anything has an entry of its own`() {
        var log = BusLog()
        var entries = [entry("x (1)"), entry("x (2)"), entry("x (1)", reason: "remembered")]
        entries.append(entry("x (1)"))
        entries[3].program = "/usr/bin/a ← zsh"
        entries.append(entry("x (1)"))
        entries[4].verdict = .refused
        for one in entries {
            let written = write(&log, one, at: 0)
            #expect(written == ["\(one.subject) \(one.reason)"])
        }
        // The same of another program is not equal either.
        let other = write(&log, entry("x (1)"), of: "/usr/bin/b", at: 0)
        #expect(other == ["x (1) ownItem"])
    }

    @Test func `nothing is counted before the first entry is in the log`() {
        var log = BusLog()
        let first = log.take(entry("x (1)"), of: Self.program, at: 0)
        let second = log.take(entry("x (1)"), of: Self.program, at: 0)
        #expect(first.entry != nil && second.entry != nil)
        let rest = log.end()
        #expect(rest.isEmpty)
    }

    @Test func `what is read after a change is written again`() {
        var log = BusLog()
        let moments: [(AuditEntry, [String])] = [
            (entry("x (1)"), ["x (1) ownItem"]), (entry("x (1)"), []),
            (entry("y (2)", .change), ["y (2) ownItem"]),
            (entry("x (1)"), []),
            (entry("x (1)", .change), ["x (1) ownItem:2more", "x (1) ownItem"]),
            (entry("x (1)"), ["x (1) ownItem"]), (entry("x (1)", .change), []),
            (entry("x (1)"), ["x (1) ownItem"]),
        ]
        for (one, expected) in moments {
            let written = write(&log, one, at: 0)
            #expect(written == expected)
        }
    }

    @Test(arguments: [false, true])
    func `a program has so many entries in a minute, and one for all the rest`(changes: Bool) {
        var log = BusLog()
        var written = 0
        for number in 0..<2_000 {
            written += write(&log, entry("x (\(changes ? number / 2 : number))"), at: 0).count
            if changes { written += write(&log, entry("x (\(number / 2))", .change), at: 0).count }
        }
        #expect(written <= BusLog.entries + 2)
        let rest = log.end()
        #expect(
            rest.allSatisfy {
                $0.reason.hasPrefix("flood:") && $0.subject.isEmpty && $0.program == Self.program
            }
        )
        #expect(rest.count == (changes ? 2 : 1))
        // The others have their own.
        let other = write(&log, entry("x (1)"), of: "/usr/bin/b", at: 0)
        #expect(other == ["x (1) ownItem"])
    }

    @Test func `many counts of a minute are one, and nothing of them is lost`() {
        var log = BusLog()
        for number in 0..<(BusLog.counts + 1) * 3 { _ = write(&log, entry("x (\(number / 3))"), at: 0) }
        let counts = log.end()
        #expect(counts.map(\.reason) == ["flood:\((BusLog.counts + 1) * 2)more"])
    }

    @Test func `a program that is not watched any longer has its counts written`() {
        var log = BusLog()
        for number in 0..<BusLog.programs {
            _ = write(&log, entry("x (1)"), of: "/usr/bin/p\(number)", at: UInt64(number) / 2)
        }
        let again = write(&log, entry("x (1)"), of: "/usr/bin/p0", at: 40)
        let other = write(&log, entry("x (1)"), of: "/usr/bin/p1", at: 40)
        #expect(again.isEmpty && other.isEmpty)
        let new = write(&log, entry("y (2)"), of: "/usr/bin/new", at: 41)
        #expect(new == ["x (1) ownItem:1more", "y (2) ownItem"])
    }
}
