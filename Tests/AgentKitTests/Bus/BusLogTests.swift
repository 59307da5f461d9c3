import Audit
import Testing

@testable import AgentKit

@Suite struct BusLogTests {
    private static let program = "/usr/bin/a"

    private func entry(
        _ subject: String,
        _ kind: AuditKind = .read,
        reason: String = "ownItem",
        from parent: String = "bash"
    ) -> AuditEntry {
        AuditEntry(
            kind,
            .allowed,
            time: 0,
            reason: reason,
            act: kind == .read ? "item.get" : "item.set",
            subject: subject,
            program: "\(Self.program) ← \(parent)"
        )
    }

    /// What is written of an entry: counts, and then the entry.
    private func write(
        _ log: inout BusLog,
        _ entry: AuditEntry,
        of program: String = program,
        at moment: UInt64 = 0
    ) -> [String] {
        var due = log.take(entry, of: program, at: moment)
        if let entry = due.entry {
            log.wrote(entry, of: program, at: moment)
            due.counts.append(entry)
        }
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
        entries[3].verdict = .refused
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

    @Test func `parents of other names and an item's other label are no other read`() {
        var log = BusLog()
        let first = write(&log, entry("x (1)"))
        #expect(first == ["x (1) ownItem"])
        for number in 0..<10 {
            let more = write(&log, entry("x\(number) (1)", from: "sh\(number)"))
            #expect(more.isEmpty)
        }
        // An item without a label is its identifier.
        let unnamed = write(&log, entry("1"))
        #expect(unnamed.isEmpty)
        let rest = log.end()
        #expect(rest.map(\.reason) == ["ownItem:11more"])
    }

    @Test(arguments: ["ownItem", "grantedItem"])
    func `what a program changes does not hide what it reads`(reason: String) {
        var log = BusLog()
        let made = (0..<2_000).flatMap { write(&log, entry("x\($0)", .change)) }
        #expect(made.count == BusLog.entries + 1 && made.last == " flood")
        for number in 0..<BusLog.entries * 2 {
            let read = write(&log, entry("y (\(number))", reason: reason))
            #expect(read == ["y (\(number)) \(reason)"])
        }
        let rest = log.end()
        #expect(rest.map { "\($0.program) \($0.reason)" } == ["\(Self.program) flood:1743more"])
    }

    @Test func `reads after changes have a limit, too`() {
        var log = BusLog()
        var written = 0
        for _ in 0..<2_000 {
            for kind in [AuditKind.change, .read, .read] {
                written += write(&log, entry("x (1)", kind)).count
            }
        }
        // The read and the first one of a minute are beside.
        #expect(written <= BusLog.entries + 2)
        let rest = log.end()
        #expect(rest.allSatisfy { $0.subject == "x (1)" } && rest.count == 2)
    }

    @Test func `items that programs made have a limit over all, and those that they were let have none`() {
        var log = BusLog()
        let own = (0..<2_000).flatMap { write(&log, entry("x (\($0))")) }
        #expect(own.count == BusLog.entriesInAll + 1 && own.last == " flood")
        for number in 0..<2_000 {
            let granted = write(&log, entry("y (\(number))", reason: "grantedItem"))
            #expect(granted == ["y (\(number)) grantedItem"])
        }
        // The others have a few of their own.
        let other = (0...BusLog.reserve).flatMap { write(&log, entry("x (\($0))"), of: "/usr/bin/b") }
        #expect(other.count == BusLog.reserve + 1 && other.last == " flood" && other.first == "x (0) ownItem")
        // And all of it begins again.
        let again = write(&log, entry("x (1999)"), at: 60)
        #expect(again.last == "x (1999) ownItem")
    }

    @Test(arguments: [AuditKind.change, .read])
    func `copies of a program in turn have no more than all may have`(kind: AuditKind) {
        var log = BusLog()
        var written: [String] = []
        for number in 0..<20_000 {
            let copy = "/home/a/\(number % (BusLog.programs * 2))"
            written += write(&log, entry("x (\(number))", kind), of: copy, at: UInt64(number / 400))
        }
        // One more for each that stands for many.
        let limit = BusLog.entriesInAll + (BusLog.programs + 1) * (BusLog.reserve + 1)
        #expect(written.count > BusLog.entriesInAll && written.count <= limit)
        let granted = write(&log, entry("y (1)", reason: "grantedItem"), of: "/usr/bin/new", at: 50)
        #expect(granted == ["y (1) grantedItem"])
        // What many did in one minute is one for all of them.
        let shared = log.end().filter { $0.program.isEmpty }
        #expect(shared.count == 1 && shared.first?.reason.hasPrefix("flood:") == true)
    }

    @Test func `many counts of a minute are one, and nothing of them is lost`() {
        var log = BusLog()
        for number in 0..<(BusLog.counts + 1) * 3 { _ = write(&log, entry("x (\(number / 3))"), at: 0) }
        let counts = log.end()
        #expect(counts.map(\.reason) == ["flood:\((BusLog.counts + 1) * 2)more"])
    }

    @Test func `no minute ends for a new program, whose entries are in the log all the same`() {
        var log = BusLog()
        for number in 0..<BusLog.programs {
            _ = write(&log, entry("x (1)"), of: "/usr/bin/p\(number)", at: UInt64(number) / 2)
        }
        for new in ["/usr/bin/new", "/usr/bin/newer"] {
            let first = write(&log, entry("x (1)"), of: new, at: 41)
            #expect(first == ["x (1) ownItem"])
            let second = write(&log, entry("x (1)"), of: new, at: 41)
            #expect(second.isEmpty)
        }
        for number in 0..<BusLog.programs {
            let again = write(&log, entry("x (1)"), of: "/usr/bin/p\(number)", at: 41)
            #expect(again.isEmpty)
        }
        let rest = log.end()
        #expect(rest.count == BusLog.programs + 2 && rest.allSatisfy { $0.reason == "ownItem:1more" })
    }
}
