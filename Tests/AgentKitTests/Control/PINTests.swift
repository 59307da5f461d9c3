import AgentProtocol
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// A key slot whose PIN opens the vault in the agent.
@Suite struct PINTests {
    private func agent(triesLeft: UInt32 = 5) throws -> TestAgent {
        let agent = try TestAgent()
        agent.opener.triesLeft.withLock { $0 = triesLeft }
        return agent
    }

    @Test func `the PIN is asked for first, with what a wrong one costs`() async throws {
        let agent = try agent()
        let caller = TestCaller([.passphrase(try secret("1")), .passphrase(try secret(TestOpener.pin))])
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        _ = try await client.request(.unlock(source: .ask))
        let asked = caller.questions.withLock { $0 }
        #expect(asked.map(\.kind) == [.pin, .pin] && asked.map(\.attempt) == [1, 2])
        #expect(asked.map { $0.title.contains("5 wrong") } == [true, false])
        #expect(asked.map { $0.title.contains("4 wrong") } == [false, true])
    }

    @Test func `the passphrase is asked for instead if the person wants that`() async throws {
        let agent = try agent()
        let caller = TestCaller([.passphraseInstead, .passphrase(try secret(passphrase))])
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        _ = try await client.request(.unlock(source: .ask))
        #expect(caller.questions.withLock { $0.map(\.kind) } == [.pin, .passphrase])
    }

    @Test func `three wrong PINs are the error, and no passphrase is asked for`() async throws {
        let agent = try agent()
        let wrong = Answer.passphrase(try secret("1"))
        let caller = TestCaller([wrong, wrong, wrong, wrong])
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        let error = await #expect(throws: AgentError.self) { try await client.request(.unlock(source: .ask)) }
        guard case .refused(let refusal)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(refusal.name == "pinWrong" && caller.questions.withLock { $0.count } == 3)
    }

    @Test func `a client that knows no PIN is asked for the passphrase`() async throws {
        let agent = try agent()
        let caller = TestCaller([.passphrase(try secret(passphrase))])
        let client = try await apart { try agent.client(.terminal, features: [], asking: caller) }
        _ = try await client.request(.unlock(source: .ask))
        #expect(caller.questions.withLock { $0.map(\.kind) } == [.passphrase])
    }

    @Test func `a PIN that came along opens its slot and no other`() async throws {
        let agent = try agent()
        let client = try await apart { try agent.client() }
        let pin = try secret(TestOpener.pin)
        for slot in [2, nil] as [UInt32?] {
            await #expect(throws: AgentError.self) {
                try await client.request(.unlock(source: .given, slot: slot), secrets: [pin])
            }
        }
        _ = try await client.request(.unlock(source: .given, slot: 3), secrets: [pin])
        #expect(try await !client.status().isLocked)
    }

    @Test func `the last try is left, unless the client says to spend it`() async throws {
        let agent = try agent(triesLeft: 1)
        let client = try await apart { try agent.client() }
        let pin = try secret(TestOpener.pin)
        for says in [nil, false] as [Bool?] {
            let error = await #expect(throws: AgentError.self) {
                let request = AgentRequest.unlock(source: .given, slot: 3, lastTries: says)
                _ = try await client.request(request, secrets: [pin])
            }
            guard case .refused(let refusal)? = error else { return }
            #expect(refusal.name == "lastTries")
        }
        #expect(try await client.status().isLocked)
        _ = try await client.request(.unlock(source: .given, slot: 3, lastTries: true), secrets: [pin])
        #expect(try await !client.status().isLocked)
    }

    @Test func `a touch opens it while the question is shown`() async throws {
        let (agent, touch) = (try TestAgent(), try Cancellation())
        agent.opener.key.withLock { $0 = touch }
        let caller = TestCaller([]) { touch.cancel() }
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        _ = try await client.request(.unlock(source: .ask))
        #expect(caller.questions.withLock { $0.map(\.kind) } == [.touch])
        #expect(try await !client.status().isLocked)
    }

    @Test(arguments: [Answer.passphraseInstead, .no])
    func `a person who does not touch it is asked for the passphrase, or refuses`(said: Answer) async throws {
        let (agent, touch) = (try TestAgent(), try Cancellation())
        agent.opener.key.withLock { $0 = touch }
        let caller = TestCaller([said, .passphrase(try secret(passphrase))])
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        if case .no = said {
            await #expect(throws: AgentError.refused(.dismissed)) {
                try await client.request(.unlock(source: .ask))
            }
        } else {
            _ = try await client.request(.unlock(source: .ask))
            #expect(caller.questions.withLock { $0.map(\.kind) } == [.touch, .passphrase])
        }
        #expect(!touch.isCancelled)
    }

    @Test(arguments: 1...20)
    func `a key that is unplugged leaves the passphrase, which a late answer about the touch is not`(_: Int)
        async throws
    {
        let (agent, touch) = (try TestAgent(), try Cancellation())
        agent.opener.key.withLock { $0 = touch }
        agent.opener.isUnplugged.withLock { $0 = true }
        let answers = [Answer.passphrase(try secret(passphrase))]
        let caller = TestCaller(answers, leavesTouch: true) { touch.cancel() }
        let client = try await apart { try agent.client(.terminal, asking: caller) }
        _ = try await client.request(.unlock(source: .ask))
        #expect(caller.questions.withLock { $0.map(\.kind) } == [.touch, .passphrase])
        #expect(try await !client.status().isLocked)
    }

    @Test func `a slot without a PIN needs no secret`() async throws {
        let (agent, touch) = (try TestAgent(), try Cancellation())
        agent.opener.key.withLock { $0 = touch }
        touch.cancel()
        let client = try await apart { try agent.client() }
        _ = try await client.request(.unlock(source: .given, slot: 4))
        #expect(try await !client.status().isLocked)
    }
}
