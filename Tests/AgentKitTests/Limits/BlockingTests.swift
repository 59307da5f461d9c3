import AgentProtocol
import Testing

@testable import AgentKit

@Suite struct BlockingTests {
    private typealias Limits = RateLimiter.Limits

    private let clock = TestClock()
    private let limiter: RateLimiter

    init() { limiter = clock.limiter { $0.hasPrefix("/usr/") } }

    // MARK: Steps

    /// Whether a question of a program about an item is blocked at a moment.
    private func blocks(_ item: String, of program: String, at moment: UInt64) -> Bool {
        clock.set(moment)
        return limiter.blocks(item, of: program)
    }

    private func refuse(_ program: String, _ items: [String], at moment: UInt64) {
        clock.set(moment)
        limiter.wasRefused(program, about: items)
    }

    private func closeWindow(of program: String, at moment: UInt64) {
        clock.set(moment)
        limiter.closedWindow(of: program)
    }

    private func blocksWindow(of program: String, at moment: UInt64) -> Bool {
        clock.set(moment)
        return limiter.blocksWindow(of: program)
    }

    private func isCrowded(for program: String, at moment: UInt64) -> Bool {
        clock.set(moment)
        return limiter.isCrowded(for: program)
    }

    private func call(of program: String, _ pid: Int32 = 7) throws -> UInt64 {
        try limiter.begin(ProcessID(pid: pid, start: 1), of: program)
    }

    // MARK: Refusals

    @Test func `a refusal blocks the item for the program, and for ten minutes`() {
        refuse("/usr/bin/a", ["1"], at: 100)
        #expect(blocks("1", of: "/usr/bin/a", at: 699))
        #expect(!blocks("1", of: "/usr/bin/a", at: 700))
        #expect(!blocks("2", of: "/usr/bin/a", at: 101))
        #expect(!blocks("1", of: "/usr/bin/b", at: 101))
    }

    @Test func `the third refusal in ten minutes blocks the program for thirty`() {
        for (item, moment) in [("1", 0), ("2", 300), ("3", 599)] as [(String, UInt64)] {
            #expect(!blocks("9", of: "/usr/bin/a", at: moment))
            refuse("/usr/bin/a", [item], at: moment)
        }
        #expect(blocks("9", of: "/usr/bin/a", at: 599 + Limits.block - 1))
        #expect(!blocks("9", of: "/usr/bin/a", at: 599 + Limits.block))
        #expect(!blocks("9", of: "/usr/bin/b", at: 600))
    }

    @Test func `two refusals, and a third when the first is ten minutes old, do not block the program`() {
        for moment in [0, 300, 600] as [UInt64] { refuse("/usr/bin/a", ["1"], at: moment) }
        #expect(!blocks("9", of: "/usr/bin/a", at: 601))
        #expect(blocks("1", of: "/usr/bin/a", at: 601))
    }

    @Test func `three questions that are withdrawn within a second are three refusals`() {
        for item in ["1", "2", "3"] { refuse("/usr/bin/a", [item], at: 5) }
        #expect(blocks("9", of: "/usr/bin/a", at: 5))
    }

    @Test func `a refusal of many items counts once`() {
        refuse("/usr/bin/a", ["1", "2", "3", "4"], at: 10)
        #expect(blocks("3", of: "/usr/bin/a", at: 11))
        #expect(!blocks("9", of: "/usr/bin/a", at: 11))
    }

    @Test func `the list names programs, how many items and how long, and is empty when it was ended`() {
        refuse("/usr/bin/b", ["1", "2"], at: 10)
        for moment in [20, 30, 40] as [UInt64] { refuse("/usr/bin/a", ["1"], at: moment) }
        closeWindow(of: "/usr/bin/c", at: 45)
        clock.set(50)
        let programs = limiter.blocked().programs
        #expect(programs.map(\.program) == ["/usr/bin/a", "/usr/bin/b", "/usr/bin/c"])
        #expect(programs.map(\.items) == [nil, 2, nil])
        #expect(programs.map(\.seconds) == [Int(Limits.block) - 10, Int(Limits.refusal) - 40, 55])
        clock.set(10_000)
        #expect(limiter.blocked().programs.isEmpty)
        clock.set(50)
        limiter.unblockAll()
        #expect(limiter.blocked().programs.isEmpty)
        #expect(!blocks("1", of: "/usr/bin/a", at: 50))
        #expect(!blocksWindow(of: "/usr/bin/c", at: 50))
    }

    @Test func `of more programs than are remembered the oldest answer goes, and a yes stays`() {
        clock.set(0)
        limiter.wasAccepted("/home/me/known")
        for number in 1...Limits.programs { refuse("/usr/bin/\(number)", ["1"], at: UInt64(number)) }
        #expect(!blocks("1", of: "/usr/bin/1", at: 300))
        #expect(blocks("1", of: "/usr/bin/2", at: 300))
        for number in 1...Limits.unanswered { refuse("/tmp/copy\(number)", ["1"], at: 300) }
        #expect(isCrowded(for: "/tmp/copy", at: 300))
        #expect(!isCrowded(for: "/home/me/known", at: 300))
    }

    @Test func `answers that block nothing any more go before those that block`() {
        for moment in [0, 1, 2] as [UInt64] { refuse("/usr/bin/blocked", ["1"], at: moment) }
        // These answers are newer, and are over when one more comes.
        for number in 1..<Limits.programs { closeWindow(of: "/usr/bin/\(number)", at: 3) }
        let later = Limits.block / 2
        refuse("/usr/bin/new", ["1"], at: later)
        #expect(blocks("1", of: "/usr/bin/blocked", at: later))
    }

    // MARK: Copies of a program

    @Test func `only questions without a yes count, and never against a program that got one`() {
        limiter.wasAccepted("/home/me/known")
        for moment in [0, 1, 2, 3, 4, 5] as [UInt64] {
            #expect(!isCrowded(for: "/tmp/copy", at: moment))
            refuse("/tmp/copy\(moment)", ["1"], at: moment)
        }
        #expect(isCrowded(for: "/tmp/copy", at: 59))
        #expect(!isCrowded(for: "/home/me/known", at: 59))
        #expect(!isCrowded(for: "/usr/bin/a", at: 59))
        // The first is a minute old.
        #expect(!isCrowded(for: "/tmp/copy", at: 60))
        closeWindow(of: "/tmp/copy9", at: 60)
        #expect(isCrowded(for: "/tmp/copy", at: 60))
    }

    @Test func `copies of a program that leave their windows block no program that they cannot copy`() throws
    {
        for number in 1...Limits.unanswered {
            let copy = try call(of: "/tmp/copy\(number)", Int32(number))
            try limiter.showWindow(of: copy)
            let error = limiter.windowEnded(of: copy, by: .refused(.cancelled)) { true }
            #expect(error == .refused(.cancelled))
            #expect(limiter.blocked().programs.count == number)
        }
        let copy = try call(of: "/tmp/copy")
        #expect(throws: Refusal.locked) { try limiter.showWindow(of: copy) }
        let error = limiter.windowEnded(of: copy, by: .refused(.locked)) { true }
        #expect(error == .refused(.tooManyWindows))
        #expect(limiter.refused.sum == 1 && limiter.refused.tooOften == 1)
        let other = try call(of: "/usr/bin/a")
        try limiter.showWindow(of: other)
        refuse("/usr/bin/a", ["1"], at: 0)
        closeWindow(of: "/usr/bin/a", at: 0)
        #expect(blocks("1", of: "/usr/bin/a", at: 0) && blocksWindow(of: "/usr/bin/a", at: 0))
        #expect(limiter.refused.afterNo == 1 && limiter.refused.afterWindow == 1)
        limiter.unblockAll()
        try limiter.showWindow(of: copy)
    }

    // MARK: The passphrase window

    @Test func `a closed window does not come back for one, five and then thirty minutes`() {
        for (moment, end) in [(0, 60), (60, 360), (360, 2_160), (2_160, 3_960)] as [(UInt64, UInt64)] {
            #expect(!blocksWindow(of: "/usr/bin/a", at: moment))
            closeWindow(of: "/usr/bin/a", at: moment)
            #expect(blocksWindow(of: "/usr/bin/a", at: end - 1))
            #expect(!blocksWindow(of: "/usr/bin/a", at: end))
            #expect(!blocksWindow(of: "/usr/bin/b", at: moment))
        }
        closeWindow(of: "/usr/bin/a", at: 2_160 + Limits.windowMemory)
        #expect(!blocksWindow(of: "/usr/bin/a", at: 2_220 + Limits.windowMemory))
    }

    @Test func `a window that was never shown, or that ends with its front, is no window that was left`()
        throws
    {
        let unseen = try call(of: "/usr/bin/a")
        try limiter.showWindow(of: unseen)
        limiter.missedWindow(of: unseen)
        _ = limiter.windowEnded(of: unseen, by: .refused(.cancelled)) { true }
        let cut = try call(of: "/usr/bin/a")
        try limiter.showWindow(of: cut)
        _ = limiter.windowEnded(of: cut, by: .refused(.cancelled)) { false }
        #expect(!blocksWindow(of: "/usr/bin/a", at: 0))
        #expect(limiter.blocked().programs.isEmpty)
        let late = try call(of: "/usr/bin/a")
        try limiter.showWindow(of: late)
        _ = limiter.windowEnded(of: late, by: .refused(.late)) { true }
        #expect(limiter.blocked().programs.map(\.program) == ["/usr/bin/a"])
    }

    @Test func `a closed window blocks the program that it named, and none that waited for it`() throws {
        let named = try call(of: "/usr/bin/a")
        let waited = try call(of: "/usr/bin/b")
        try limiter.showWindow(of: named)
        for window in [named, waited] {
            let error = limiter.windowEnded(of: window, by: .refused(.dismissed)) { true }
            #expect(error == .refused(.dismissed))
        }
        #expect(blocksWindow(of: "/usr/bin/a", at: 0))
        #expect(!blocksWindow(of: "/usr/bin/b", at: 0))
    }
}
