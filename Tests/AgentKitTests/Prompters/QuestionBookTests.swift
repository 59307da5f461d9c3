import AgentProtocol
import Dispatch
import Glibc
import Synchronization
import Testing
import VaultCrypto

@testable import AgentKit

/// A window that says what it is told to once it is let go, or closes when its question is over.
final class Window: Prompter {
    let opened = DispatchSemaphore(value: 0)
    let closed = Atomic(0)
    private let letGo: Cancellation
    private let answer: Said

    init(saying answer: Said = .deny) throws {
        letGo = try Cancellation()
        self.answer = answer
    }

    func says() { letGo.cancel() }

    func passphrase(_: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret { throw .nobody }

    func confirm(_: ConfirmQuestion, _ cancellation: Cancellation) throws(PromptError) -> Said {
        opened.signal()
        guard cancellation.wait(for: letGo.descriptor) == .ready else {
            closed.add(1, ordering: .relaxed)
            throw .cancelled
        }
        return answer
    }
}

@Suite struct QuestionBookTests {
    private let window: Window
    private let book: QuestionBook
    private let interest: Cancellation

    init() throws {
        window = try Window()
        book = QuestionBook(try PromptQueue(window))
        interest = try Cancellation()
    }

    /// A question in the window, and who waits for its answer.
    private func asked(_ question: ConfirmQuestion) async throws -> Begun<Said> {
        let asking = try Begun { [book, interest] in try book.confirm(question, interest) }
        try await apart { [window] in window.opened.wait() }
        return asking
    }

    private static let question = ConfirmQuestion(title: "Let it?", longer: .seconds(60))

    @Test(arguments: [
        (LongerYes.seconds(60), RequestAnswer.deny, Said.deny), (.seconds(60), .once, .once),
        (.seconds(60), .longer, .remember(seconds: 60)), (.session("x"), .longer, .lasting),
        (.always("x"), .longer, .lasting),
    ])
    func `an answer from elsewhere counts and closes the window`(
        longer: LongerYes,
        said: RequestAnswer,
        means: Said
    ) async throws {
        let asking = try await asked(ConfirmQuestion(title: "Let it?", longer: longer))
        let waiting = try #require(book.list().first)
        #expect(waiting.title == "Let it?" && waiting.longer?.word == longer.word)
        try book.answer(waiting.number, said)
        #expect(book.list().isEmpty)
        #expect(try await asking.value == means)
        #expect(window.closed.load(ordering: .relaxed) == 1)
    }

    @Test func `a yes that the window does not offer is refused`() async throws {
        let asking = try await asked(ConfirmQuestion(title: "Let it?"))
        let waiting = try #require(book.list().first)
        #expect(waiting.longer == nil)
        #expect(throws: Refusal.brokenProtocol) { try book.answer(waiting.number, .longer) }
        #expect(book.list().map(\.number) == [waiting.number])
        window.says()
        #expect(try await asking.value == .deny)
    }

    @Test func `what the window answered, or the asking program left, is gone`() async throws {
        var asking = try await asked(Self.question)
        let first = try #require(book.list().first).number
        window.says()
        #expect(try await asking.value == .deny)
        #expect(book.list().isEmpty)
        #expect(throws: Refusal.unknownRequest) { try book.answer(first, .once) }

        let other = try Window()
        let later = QuestionBook(other)
        asking = try Begun { [interest] in try later.confirm(Self.question, interest) }
        try await apart { other.opened.wait() }
        let second = try #require(later.list().first).number
        // The window need not have closed for that.
        interest.cancel()
        #expect(later.list().isEmpty)
        #expect(throws: Refusal.unknownRequest) { try later.answer(second, .once) }
        await #expect(throws: PromptError.cancelled) { try await asking.value }
    }

    @Test func `of two answers at the same time exactly one wins`() async throws {
        for _ in 0..<200 {
            let window = try Window()
            let book = QuestionBook(window)
            let asking = try Begun { [interest] in try book.confirm(Self.question, interest) }
            try await apart { window.opened.wait() }
            let number = try #require(book.list().first).number
            let answers = try [RequestAnswer.once, .longer].map { said in
                try Begun { () -> RequestAnswer? in
                    do { try book.answer(number, said) } catch { return nil }
                    return said
                }
            }
            window.says()
            var won: [RequestAnswer] = []
            for answer in answers {
                if let answer = try await answer.value { won.append(answer) }
            }
            let means: Said =
                switch won.first {
                case .once: .once
                case .longer: .remember(seconds: 60)
                default: .deny
                }
            #expect(won.count < 2)
            #expect(try await asking.value == means)
        }
    }

    @Test func `a question that waits for its turn can be answered, too`() async throws {
        let first = try await asked(Self.question)
        let second = try Begun { [book, interest] in
            try book.confirm(ConfirmQuestion(title: "Let another?"), interest)
        }
        // Without a pause of this test, which may be long: a question waits for its turn for five minutes at most.
        while book.list().count < 2 { usleep(1_000) }
        let numbers = book.list().map(\.number)
        #expect(book.list().map(\.title) == ["Let it?", "Let another?"] && Set(numbers).count == 2)
        try book.answer(numbers[1], .once)
        #expect(try await second.value == .once)
        #expect(book.list().map(\.number) == [numbers[0]])
        window.says()
        #expect(try await first.value == .deny)
    }

    @Test func `a question that reaches no person is not kept`() throws {
        let book = QuestionBook(PrompterChain([]))
        #expect(throws: PromptError.nobody) { try book.confirm(Self.question, interest) }
        #expect(book.list().isEmpty)
    }
}
