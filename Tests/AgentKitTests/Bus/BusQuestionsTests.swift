import AgentProtocol
import Synchronization
import Testing

@testable import AgentKit

@Suite struct BusQuestionsTests {
    /// What was asked so far.
    final class Order: Sendable {
        private let asked = Mutex<[Int]>([])
        var all: [Int] { asked.withLock { $0 } }
        func add(_ number: Int) { asked.withLock { $0.append(number) } }
    }

    @Test func `of one program one question is asked at a time, and the next when it ends`() async throws {
        let questions = BusQuestions()
        let order = Order()
        let release = try Cancellation()
        let isAsking = try Cancellation()
        async let first: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
                order.add(1)
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        async let second: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) { order.add(2) }
        }
        // Another program does not wait for it.
        try await apart { try questions.inTurn(of: "/usr/bin/b", Cancellation()) {} }
        #expect(order.all.isEmpty)
        release.cancel()
        try await first
        try await second
        #expect(order.all == [1, 2])
    }

    @Test func `a call that is not waited for any longer gives its place up`() async throws {
        let questions = BusQuestions()
        let release = try Cancellation()
        let isAsking = try Cancellation()
        async let first: Void = apart {
            try questions.inTurn(of: "/usr/bin/a", Cancellation()) {
                isAsking.cancel()
                _ = release.wait(for: -1)
            }
        }
        _ = try await apart { isAsking.wait(for: -1) }
        let gone = try Cancellation()
        gone.cancel()
        await #expect(throws: Refusal.cancelled) {
            try await apart { try questions.inTurn(of: "/usr/bin/a", gone) {} }
        }
        release.cancel()
        try await first
        try await apart { try questions.inTurn(of: "/usr/bin/a", Cancellation()) {} }
    }

    @Test func `three programs have a question asked at a time, a fourth one waits`() throws {
        let questions = BusQuestions()
        let (interest, gone) = (try Cancellation(), try Cancellation())
        gone.cancel()
        try questions.inTurn(of: "/usr/bin/a", interest) { () throws(Refusal) in
            try questions.inTurn(of: "/usr/bin/b", interest) { () throws(Refusal) in
                try questions.inTurn(of: "/usr/bin/c", interest) { () -> Void in
                    // It had to wait, and its caller does not.
                    #expect(throws: Refusal.cancelled) { try questions.inTurn(of: "/usr/bin/d", gone) {} }
                }
                try questions.inTurn(of: "/usr/bin/d", gone) {}
            }
        }
    }

    @Test func `another program that waits comes before the one that had its turn`() throws {
        var turns = BusTurns()
        let signals = try (0..<4).map { _ in try Cancellation() }
        let atOnce = try ["a", "b", "c"].map { try turns.take($0, Cancellation()) }
        #expect(atOnce == [true, true, true])
        let waiting = try zip(["a", "d", "b", "e"], signals).map { try turns.take($0, $1) }
        #expect(waiting == [false, false, false, false])
        let next = ["a", "d", "b", "e"].map { turns.giveBack($0) }
        #expect(next.map { signal in signals.firstIndex { $0 === signal } } == [1, 0, 3, 2])
        // Nobody waits any longer: there is a turn to have again.
        let nobody = turns.giveBack("b")
        #expect(nobody === nil)
        let isFree = try turns.take("f", Cancellation())
        #expect(isFree)
    }

    @Test func `four calls of a program wait, and sixteen in all`() throws {
        var turns = BusTurns()
        for program in ["a", "b", "c"] { _ = try turns.take(program, Cancellation()) }
        for program in ["a", "d", "e", "f"] {
            for _ in 0..<BusTurns.waitingOfProgram {
                let isFree = try turns.take(program, Cancellation())
                #expect(!isFree)
            }
            guard program == "a" else { continue }
            #expect(throws: Refusal.tooManyQuestions) { try turns.take("a", Cancellation()) }
        }
        #expect(throws: Refusal.tooManyQuestions) { try turns.take("g", Cancellation()) }
    }

    @Test func `a process has one share of calls that wait, however many connections it has`() throws {
        let questions = BusQuestions()
        let process = BusProcess(pid: 7, start: 1)
        for _ in 0..<BusQuestions.waitingOfProcess { try questions.wait(process, of: "a") }
        #expect(throws: Refusal.tooManyQuestions) { try questions.wait(process, of: "a") }
        // Another process of the same number is another one.
        try questions.wait(BusProcess(pid: 7, start: 2), of: "a")
        #expect(questions.refused.tooMany == 1)
        questions.stopWaiting(process, of: "a")
        try questions.wait(process, of: "a")
        #expect(throws: Refusal.tooManyQuestions) { try questions.wait(process, of: "a") }
    }

    @Test func `a program that forks has a share of calls that wait, and all programs have one`() throws {
        let questions = BusQuestions()
        func process(_ number: Int) -> BusProcess { BusProcess(pid: Int32(number), start: 1) }
        for number in 0..<BusQuestions.waitingOfProgram { try questions.wait(process(number), of: "forks") }
        #expect(throws: Refusal.tooManyQuestions) { try questions.wait(process(1_000), of: "forks") }
        for number in BusQuestions.waitingOfProgram..<BusQuestions.waitingInAll {
            try questions.wait(process(number), of: "\(number)")
        }
        let new = process(BusQuestions.waitingInAll)
        #expect(throws: Refusal.tooManyQuestions) { try questions.wait(new, of: "new") }
        #expect(questions.refused.tooMany == 2)
        questions.stopWaiting(process(0), of: "forks")
        try questions.wait(new, of: "new")
        #expect(throws: Refusal.tooManyQuestions) { try questions.wait(new, of: "new") }
    }

    @Test func `a call that leaves has no turn, and hears of one that came before`() throws {
        var turns = BusTurns()
        let signals = try (0..<3).map { _ in try Cancellation() }
        let taken = try signals.map { try turns.take("a", $0) }
        #expect(taken == [true, false, false])
        let hasLeft = turns.leave(signals[1])
        #expect(hasLeft)
        let next = turns.giveBack("a")
        #expect(next === signals[2])
        let isLate = !turns.leave(signals[2])
        #expect(isLate)
    }
}
