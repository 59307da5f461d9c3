import AgentProtocol
import Testing

@testable import AgentKit

@Suite struct QuietTimesTests {
    @Test func `a no holds for the item and the program, and for ten minutes`() {
        var times = QuietTimes()
        times.said(noTo: "/usr/bin/a", about: ["1"], at: 100)
        #expect(times.refuses("1", to: "/usr/bin/a", at: 699))
        #expect(!times.refuses("1", to: "/usr/bin/a", at: 700))
        #expect(!times.refuses("2", to: "/usr/bin/a", at: 101))
        #expect(!times.refuses("1", to: "/usr/bin/b", at: 101))
    }

    @Test func `the third no in ten minutes silences the program for thirty`() {
        var times = QuietTimes()
        for (item, moment) in [("1", 0), ("2", 300), ("3", 599)] as [(String, UInt64)] {
            #expect(!times.refuses("9", to: "/usr/bin/a", at: moment))
            times.said(noTo: "/usr/bin/a", about: [item], at: moment)
        }
        #expect(times.refuses("9", to: "/usr/bin/a", at: 599 + QuietTimes.afterMany - 1))
        #expect(!times.refuses("9", to: "/usr/bin/a", at: 599 + QuietTimes.afterMany))
        #expect(!times.refuses("9", to: "/usr/bin/b", at: 600))
    }

    @Test func `three questions that are taken back within a second are three no's`() {
        var times = QuietTimes()
        for item in ["1", "2", "3"] { times.said(noTo: "/usr/bin/a", about: [item], at: 5) }
        #expect(times.refuses("9", to: "/usr/bin/a", at: 5))
    }

    @Test func `one no about many items counts once`() {
        var times = QuietTimes()
        times.said(noTo: "/usr/bin/a", about: ["1", "2", "3", "4"], at: 10)
        #expect(times.refuses("3", to: "/usr/bin/a", at: 11))
        #expect(!times.refuses("9", to: "/usr/bin/a", at: 11))
    }

    @Test func `the list names programs, how many items and how long, and is empty when it was ended`() {
        var times = QuietTimes()
        times.said(noTo: "/usr/bin/b", about: ["1", "2"], at: 10)
        for moment in [20, 30, 40] as [UInt64] { times.said(noTo: "/usr/bin/a", about: ["1"], at: moment) }
        times.closedWindow(of: "/usr/bin/c", at: 45)
        let programs = times.programs(at: 50)
        #expect(programs.map(\.program) == ["/usr/bin/a", "/usr/bin/b", "/usr/bin/c"])
        #expect(programs.map(\.items) == [nil, 2, nil])
        #expect(
            programs.map(\.seconds) == [Int(QuietTimes.afterMany) - 10, Int(QuietTimes.afterNo) - 40, 55]
        )
        #expect(times.programs(at: 10_000).isEmpty)
        times.end()
        #expect(times.programs(at: 50).isEmpty)
        #expect(!times.refuses("1", to: "/usr/bin/a", at: 50))
    }

    @Test func `only questions without an answer count, and never against a program that got a yes`() {
        var times = QuietTimes()
        times.said(yesTo: "/home/me/known")
        for moment in [0, 1, 2, 3, 4, 5] as [UInt64] {
            #expect(!times.refusesPlace(to: "/tmp/copy", at: moment))
            times.leftUnanswered(at: moment)
        }
        #expect(times.refusesPlace(to: "/tmp/copy", at: 59))
        #expect(!times.refusesPlace(to: "/home/me/known", at: 59))
        // The first is a minute old.
        #expect(!times.refusesPlace(to: "/tmp/copy", at: 60))
        times.leftUnanswered(at: 60)
        #expect(times.refusesPlace(to: "/tmp/copy", at: 60))
    }

    @Test func `a closed window does not come back for one, five and then thirty minutes`() {
        var times = QuietTimes()
        for (moment, end) in [(0, 60), (60, 360), (360, 2_160), (2_160, 3_960)] as [(UInt64, UInt64)] {
            #expect(!times.refusesWindow(to: "/usr/bin/a", at: moment))
            times.closedWindow(of: "/usr/bin/a", at: moment)
            #expect(times.refusesWindow(to: "/usr/bin/a", at: end - 1))
            #expect(!times.refusesWindow(to: "/usr/bin/a", at: end))
            #expect(!times.refusesWindow(to: "/usr/bin/b", at: moment))
        }
    }

    @Test func `copies of a program that leave their windows keep nobody silent whom they cannot copy`()
        throws
    {
        let questions = BusQuestions { $0.hasPrefix("/usr/") }
        for number in 1...QuietTimes.perMinute {
            let copy = BusWindow(questions, of: "/tmp/copy\(number)")
            try copy.show()
            #expect(copy.ended(by: .refused(.cancelled)) == .refused(.cancelled))
            #expect(questions.report().programs.count == number)
        }
        let window = BusWindow(questions, of: "/tmp/copy")
        #expect(throws: Refusal.locked) { try window.show() }
        #expect(window.ended(by: .refused(.locked)) == .refused(.tooManyWindows))
        #expect(questions.refusals == 1 && questions.refused.tooOften == 1)
        try BusWindow(questions, of: "/usr/bin/a").show()
        questions.said(noTo: "/usr/bin/a", about: ["1"])
        questions.closedWindow(of: "/usr/bin/a")
        let isRefused = (questions.refuses("1", to: "/usr/bin/a"), questions.refusesWindow(to: "/usr/bin/a"))
        #expect(isRefused == (true, true))
        #expect(questions.refused.afterNo == 1 && questions.refused.afterWindow == 1)
        questions.endQuiet()
        try window.show()
    }

    @Test func `a window that was never shown, or that ends with its front, is no window that was left`()
        throws
    {
        let questions = BusQuestions { _ in false }
        let unseen = BusWindow(questions, of: "/usr/bin/a")
        try unseen.show()
        unseen.unseen()
        _ = unseen.ended(by: .refused(.cancelled))
        let cut = BusWindow(questions, of: "/usr/bin/a", hasLeft: { false })
        try cut.show()
        _ = cut.ended(by: .refused(.cancelled))
        #expect(!questions.refusesWindow(to: "/usr/bin/a"))
        #expect(questions.report().programs.isEmpty)
        let late = BusWindow(questions, of: "/usr/bin/a")
        try late.show()
        _ = late.ended(by: .refused(.late))
        #expect(questions.report().programs.map(\.program) == ["/usr/bin/a"])
    }

    @Test func `a closed window makes the program quiet that it named, and none that waited for it`() throws {
        let questions = BusQuestions { _ in false }
        let named = BusWindow(questions, of: "/usr/bin/a")
        let waited = BusWindow(questions, of: "/usr/bin/b")
        try named.show()
        for window in [named, waited] {
            #expect(window.ended(by: .refused(.dismissed)) == .refused(.dismissed))
        }
        #expect(questions.refusesWindow(to: "/usr/bin/a"))
        #expect(!questions.refusesWindow(to: "/usr/bin/b"))
    }

    @Test func `a person ends all of it`() {
        var times = QuietTimes()
        times.said(noTo: "/usr/bin/a", about: ["1"], at: 0)
        times.closedWindow(of: "/usr/bin/a", at: 0)
        times.end()
        #expect(!times.refuses("1", to: "/usr/bin/a", at: 1))
        #expect(!times.refusesWindow(to: "/usr/bin/a", at: 1))
    }
}
