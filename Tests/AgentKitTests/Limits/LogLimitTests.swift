import Testing
import VaultKit

@testable import AgentKit

@Suite struct LogLimitTests {
    private typealias Limits = RateLimiter.Limits

    private let clock = TestClock()
    private let limiter: RateLimiter

    init() { limiter = clock.limiter() }

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
        _ entry: AuditEntry,
        of program: String = program,
        at moment: UInt64 = 0
    ) -> [String] {
        clock.set(moment)
        var due = limiter.due(entry, of: program)
        if let entry = due.entry {
            limiter.logged(entry, of: program)
            due.counts.append(entry)
        }
        return due.counts.map { "\($0.subject) \($0.reason)" }
    }

    @Test func `equal entries of a minute are one, and their number is written when it is over`() {
        let before = [0, 1, 59].map { write(entry("x (1)"), at: $0) }
        #expect(before == [["x (1) ownItem"], [], []])
        let after = [60, 61].map { write(entry("x (1)"), at: $0) }
        #expect(after == [["x (1) ownItem:2more", "x (1) ownItem"], []])
        let rest = limiter.endLog().map(\.reason)
        #expect(rest == ["ownItem:1more"])
        let none = limiter.endLog()
        #expect(none.isEmpty)
    }

    @Test func `what differs in anything has an entry of its own`() {
        var entries = [entry("x (1)"), entry("x (2)"), entry("x (1)", reason: "remembered")]
        entries.append(entry("x (1)"))
        entries[3].verdict = .refused
        for one in entries {
            let written = write(one, at: 0)
            #expect(written == ["\(one.subject) \(one.reason)"])
        }
        // The same of another program is not equal either.
        let other = write(entry("x (1)"), of: "/usr/bin/b", at: 0)
        #expect(other == ["x (1) ownItem"])
    }

    @Test func `nothing is counted before the first entry is in the log`() {
        let first = limiter.due(entry("x (1)"), of: Self.program)
        let second = limiter.due(entry("x (1)"), of: Self.program)
        #expect(first.entry != nil && second.entry != nil)
        let rest = limiter.endLog()
        #expect(rest.isEmpty)
    }

    @Test func `what is read after a change is written again`() {
        let moments: [(AuditEntry, [String])] = [
            (entry("x (1)"), ["x (1) ownItem"]), (entry("x (1)"), []),
            (entry("y (2)", .change), ["y (2) ownItem"]),
            (entry("x (1)"), []),
            (entry("x (1)", .change), ["x (1) ownItem:2more", "x (1) ownItem"]),
            (entry("x (1)"), ["x (1) ownItem"]), (entry("x (1)", .change), []),
            (entry("x (1)"), ["x (1) ownItem"]),
        ]
        for (one, expected) in moments {
            let written = write(one, at: 0)
            #expect(written == expected)
        }
    }

    @Test func `parents of other names and an item's other label are no other read`() {
        let first = write(entry("x (1)"))
        #expect(first == ["x (1) ownItem"])
        for number in 0..<10 {
            let more = write(entry("x\(number) (1)", from: "sh\(number)"))
            #expect(more.isEmpty)
        }
        // An item without a label is its identifier.
        let unnamed = write(entry("1"))
        #expect(unnamed.isEmpty)
        let rest = limiter.endLog()
        #expect(rest.map(\.reason) == ["ownItem:11more"])
    }

    @Test(arguments: ["ownItem", "grantedItem"])
    func `what a program changes does not hide what it reads`(reason: String) {
        let made = (0..<2_000).flatMap { write(entry("x\($0)", .change)) }
        #expect(made.count == Limits.entries + 1 && made.last == " flood")
        for number in 0..<Limits.entries * 2 {
            let read = write(entry("y (\(number))", reason: reason))
            #expect(read == ["y (\(number)) \(reason)"])
        }
        let rest = limiter.endLog()
        #expect(rest.map { "\($0.program) \($0.reason)" } == ["\(Self.program) flood:1743more"])
    }

    @Test func `reads after changes have a limit, too`() {
        var written = 0
        for _ in 0..<2_000 {
            for kind in [AuditKind.change, .read, .read] {
                written += write(entry("x (1)", kind)).count
            }
        }
        // The read and the first one of a minute are beside.
        #expect(written <= Limits.entries + 2)
        let rest = limiter.endLog()
        #expect(rest.allSatisfy { $0.subject == "x (1)" } && rest.count == 2)
    }

    @Test func `items that programs made have a limit over all, and those that they were let have none`() {
        let own = (0..<2_000).flatMap { write(entry("x (\($0))")) }
        #expect(own.count == Limits.entriesInAll + 1 && own.last == " flood")
        for number in 0..<2_000 {
            let granted = write(entry("y (\(number))", reason: "grantedItem"))
            #expect(granted == ["y (\(number)) grantedItem"])
        }
        // The others have a few of their own.
        let other = (0...Limits.reserve).flatMap { write(entry("x (\($0))"), of: "/usr/bin/b") }
        #expect(other.count == Limits.reserve + 1 && other.last == " flood" && other.first == "x (0) ownItem")
        // And all of it begins again.
        let again = write(entry("x (1999)"), at: 60)
        #expect(again.last == "x (1999) ownItem")
    }

    @Test(arguments: [AuditKind.change, .read])
    func `copies of a program in turn have no more than all may have`(kind: AuditKind) {
        var written: [String] = []
        for number in 0..<20_000 {
            let copy = "/home/a/\(number % (Limits.minutes * 2))"
            written += write(entry("x (\(number))", kind), of: copy, at: UInt64(number / 400))
        }
        // One more for each that stands for many.
        let limit = Limits.entriesInAll + (Limits.minutes + 1) * (Limits.reserve + 1)
        #expect(written.count > Limits.entriesInAll && written.count <= limit)
        let granted = write(entry("y (1)", reason: "grantedItem"), of: "/usr/bin/new", at: 50)
        #expect(granted == ["y (1) grantedItem"])
        // What many did in one minute is one for all of them.
        let shared = limiter.endLog().filter { $0.program.isEmpty }
        #expect(shared.count == 1 && shared.first?.reason.hasPrefix("flood:") == true)
    }

    @Test func `many counts of a minute are one, and nothing of them is lost`() {
        for number in 0..<(Limits.counts + 1) * 3 { _ = write(entry("x (\(number / 3))"), at: 0) }
        let counts = limiter.endLog()
        #expect(counts.map(\.reason) == ["flood:\((Limits.counts + 1) * 2)more"])
    }

    @Test func `no minute ends for a new program, whose entries are in the log all the same`() {
        for number in 0..<Limits.minutes {
            _ = write(entry("x (1)"), of: "/usr/bin/p\(number)", at: UInt64(number) / 2)
        }
        for new in ["/usr/bin/new", "/usr/bin/newer"] {
            let first = write(entry("x (1)"), of: new, at: 41)
            #expect(first == ["x (1) ownItem"])
            let second = write(entry("x (1)"), of: new, at: 41)
            #expect(second.isEmpty)
        }
        for number in 0..<Limits.minutes {
            let again = write(entry("x (1)"), of: "/usr/bin/p\(number)", at: 41)
            #expect(again.isEmpty)
        }
        let rest = limiter.endLog()
        #expect(rest.count == Limits.minutes + 2 && rest.allSatisfy { $0.reason == "ownItem:1more" })
    }
}
