import AgentProtocol
import Dispatch
import Glibc
import RecordStore
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// A question in a window is answered by who shows the vault's secret, and by nobody else.
@Suite struct WaitingRequestTests {
    private let book: QuestionBook
    private let window: Window
    private let interest: Cancellation

    init() throws {
        window = try Window()
        book = QuestionBook(window)
        interest = try Cancellation()
    }

    /// An agent with an open vault and a question that waits.
    private func waiting(isOwn: Bool = true) async throws -> (TestAgent, Begun<Said>, UInt64) {
        let agent = try TestAgent(questions: book, isOwn: isOwn)
        let interest = try Cancellation()
        let right = try secret(passphrase)
        _ = try await apart { try agent.core.unlock(with: right, interest) }
        let asking = try Begun { [book, interest = self.interest] in
            try book.confirm(ConfirmQuestion(title: "Let it?"), interest)
        }
        try await apart { [window] in window.opened.wait() }
        return (agent, asking, try #require(book.list().first).number)
    }

    private func client(
        _ agent: TestAgent,
        _ asks: Hello.Asking = .terminal,
        saying answers: [Answer] = []
    ) async throws -> (AgentClient, TestCaller) {
        let caller = TestCaller(answers)
        return (try await apart { try agent.client(asks, asking: caller) }, caller)
    }

    @Test func `the passphrase comes first, then the answer`() async throws {
        let (agent, asking, number) = try await waiting()
        let (client, caller) = try await client(agent, saying: [.passphrase(try secret(passphrase))])
        #expect(try await client.requests().map(\.title) == ["Let it?"])
        try await client.answer(number, nil)
        #expect(caller.questions.withLock { $0.map(\.kind) } == [.passphrase])
        #expect(book.list().count == 1)
        try await client.answer(number, .once)
        #expect(try await asking.value == .once)
        await #expect(throws: AgentError.refused(.unknownRequest)) { try await client.answer(number, nil) }
        #expect(try await client.requests().isEmpty)
    }

    @Test func `without the right secret nothing is answered`() async throws {
        let (agent, asking, number) = try await waiting()
        let wrong = Answer.passphrase(try secret("wrong"))
        let (client, caller) = try await client(agent, saying: [wrong, wrong, wrong, .no])
        await #expect(throws: AgentError.refused(.brokenProtocol)) { try await client.answer(number, .once) }
        for error in [AgentError.vault(.store(.wrongSecret)), .refused(.dismissed)] {
            await #expect(throws: error) { try await client.answer(number, nil) }
            await #expect(throws: AgentError.refused(.brokenProtocol)) {
                try await client.answer(number, .once)
            }
        }
        #expect(caller.questions.withLock { $0.count } == 4)
        await #expect(throws: AgentError.vault(.store(.wrongSecret))) {
            try await client.answer(number, nil, secret: try secret("wrong"))
        }
        #expect(book.list().map(\.number) == [number])
        window.says()
        #expect(try await asking.value == .deny)
    }

    @Test func `what was shown counts on one connection, for one question`() async throws {
        let (agent, asking, number) = try await waiting()
        let (client, _) = try await client(agent)
        await #expect(throws: AgentError.refused(.unknownRequest)) {
            try await client.answer(number + 1, nil, secret: try secret(passphrase))
        }
        try await client.answer(number, nil, secret: try secret(passphrase))
        let (other, _) = try await self.client(agent)
        await #expect(throws: AgentError.refused(.brokenProtocol)) { try await other.answer(number, .once) }
        let second = try Begun { [book, interest] in
            try book.confirm(ConfirmQuestion(title: "Let another?"), interest)
        }
        try await apart { [window] in window.opened.wait() }
        await #expect(throws: AgentError.refused(.brokenProtocol)) {
            try await client.answer(number + 1, .once)
        }
        window.says()
        #expect(try await (asking.value, second.value) == (.deny, .deny))
    }

    @Test func `a program that is not hsip, or has no terminal, answers nothing`() async throws {
        let (agent, asking, number) = try await waiting(isOwn: false)
        let right = try secret(passphrase)
        let (stranger, _) = try await client(agent)
        await #expect(throws: AgentError.refused(.onlyByOwn)) { try await stranger.requests() }
        await #expect(throws: AgentError.refused(.onlyByOwn)) {
            try await stranger.answer(number, nil, secret: right)
        }
        let own = try TestAgent(questions: book, isOwn: true)
        for asks in [Hello.Asking.nobody, .agent] {
            let (client, _) = try await client(own, asks)
            #expect(try await client.requests().count == 1)
            await #expect(throws: AgentError.refused(.answerNeedsPerson)) {
                try await client.answer(number, nil, secret: right)
            }
        }
        window.says()
        #expect(try await asking.value == .deny)
    }

    @Test func `a PIN shows who it is, and a touch alone does not`() async throws {
        let (agent, asking, number) = try await waiting()
        agent.opener.triesLeft.withLock { $0 = 5 }
        let (client, caller) = try await client(agent, saying: [.passphrase(try secret(TestOpener.pin))])
        try await client.answer(number, nil)
        #expect(caller.questions.withLock { $0.map(\.kind) } == [.pin])

        let touch = try Cancellation()
        agent.opener.key.withLock { $0 = touch }
        touch.cancel()
        let (toucher, asked) = try await self.client(agent, saying: [.no])
        await #expect(throws: AgentError.refused(.dismissed)) { try await toucher.answer(number, nil) }
        #expect(asked.questions.withLock { $0.map(\.kind) } == [.passphrase])
        try await client.answer(number, .deny)
        #expect(try await asking.value == .deny)
    }

    @Test func `who is late is told that the question is gone`() async throws {
        let (agent, asking, number) = try await waiting()
        let right = Answer.passphrase(try secret(passphrase))
        let caller = TestCaller([right]) { [window, book] in
            window.says()
            while !book.list().isEmpty { sched_yield() }
        }
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        await #expect(throws: AgentError.refused(.unknownRequest)) { try await client.answer(number, nil) }
        #expect(try await asking.value == .deny)
    }
}
