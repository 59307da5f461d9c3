import AgentProtocol
import HSIP
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

/// Waits for the end of the interest, as a window does that no one answers.
private struct SilentPrompter: Prompter {
    let asked: @Sendable () -> Void

    func passphrase(
        _ question: PassphraseQuestion,
        _ cancellation: Cancellation
    ) throws(PromptError) -> Secret {
        asked()
        switch cancellation.wait(for: -1, milliseconds: 600_000) {
        case .cancelled: throw .cancelled
        case .ready, .timedOut: throw .timedOut(seconds: 600)
        }
    }

    func confirm(_ question: ConfirmQuestion, _ cancellation: Cancellation) -> AgentKit.Confirmation { .deny }
}

/// Writes down what it hears.
private final class Listening: LockObserver {
    let heard = Mutex<[String]>([])

    func vaultOpened(_ vault: OpenVault, for seconds: Int?) {
        heard.withLock { $0.append("opened \(seconds ?? 0)") }
    }

    func vaultLocked(_ reason: LockReason) { heard.withLock { $0.append("locked \(reason)") } }
    func vaultUsed() { heard.withLock { $0.append("used") } }
    func vaultLimited(to seconds: Int) { heard.withLock { $0.append("limited \(seconds)") } }
}

@Suite struct AgentCoreTests {
    private let opener = TestOpener(isUnattended: false)

    @Test func `observers hear of opening, use and lock in that order`() async throws {
        let core = AgentCore(opener: opener)
        let listening = Listening()
        core.add(listening)
        try await apart {
            _ = try core.unlock(with: try secret(passphrase), for: 60)
            core.touchUse()
            _ = try core.unlock(with: try secret(passphrase), for: 30)
            core.lock(.idle)
            core.lock(.idle)
        }
        #expect(listening.heard.withLock { $0 } == ["opened 60", "used", "limited 30", "locked idle"])
    }

    /// Counts how often someone is asked for a passphrase.
    private final class CountingAsker: UnlockAsker {
        let tries = 3
        let isAtDesktop: Bool
        let asked = Atomic(0)

        init(isAtDesktop: Bool) { self.isAtDesktop = isAtDesktop }

        func secret(attempt: Int, of vault: String, _ cancellation: Cancellation) throws(Refusal) -> Secret {
            asked.add(1, ordering: .relaxed)
            throw .dismissed
        }
    }

    @Test(arguments: [true, false])
    func `a locked keyring asks for its own password, no one for a passphrase`(isAtDesktop: Bool) async throws
    {
        let core = AgentCore(opener: opener)
        let asker = CountingAsker(isAtDesktop: isAtDesktop)
        try await apart {
            opener.keyring.withLock { $0 = .no }
            #expect(throws: AgentError.vault(.store(.promptDismissed))) {
                _ = try core.unlock(asking: asker, try Cancellation())
            }
            opener.keyring.withLock { $0 = .yes }
            _ = try core.unlock(asking: asker, try Cancellation())
        }
        #expect(asker.asked.load(ordering: .relaxed) == 0)
        #expect(opener.mayAsk.withLock { $0 } == isAtDesktop)
    }

    @Test func `a lock while a key is derived counts: what was opened is closed again`() async throws {
        let core = AgentCore(opener: opener)
        let (deriving, isDeriving) = AsyncStream.makeStream(of: Void.self)
        let goOn = try Cancellation()
        opener.before.withLock {
            $0 = {
                isDeriving.yield()
                _ = goOn.wait(for: -1, milliseconds: 600_000)
            }
        }
        let unlocked = Task { try await apart { _ = try core.unlock(with: try secret(passphrase)) } }
        var heard = deriving.makeAsyncIterator()
        await heard.next()
        try await apart { _ = core.lock(.screen) }
        goOn.cancel()
        await #expect(throws: AgentError.refused(.locked)) { try await unlocked.value }
        #expect(core.isLocked)
        #expect(opener.opened.load(ordering: .relaxed) == 1)
        #expect(opener.closed.load(ordering: .relaxed) == 1)
    }

    @Test func `a question is taken back when someone else brings the secret`() async throws {
        let core = AgentCore(opener: opener)
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let asker = PrompterAsker(SilentPrompter { isAsked.yield() }, tries: 1, opened: {})
        let waiting = Task { try await apart { try core.unlock(asking: asker, try Cancellation()) } }
        var heard = asked.makeAsyncIterator()
        await heard.next()
        let brought = try await apart { try core.unlock(with: try secret(passphrase)) }
        #expect(try await waiting.value === brought)
    }

    @Test func `who may not ask does not wait for another one's person`() async throws {
        let core = AgentCore(opener: opener)
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let asker = PrompterAsker(SilentPrompter { isAsked.yield() }, tries: 1, opened: {})
        let interest = try Cancellation()
        let waiting = Task { try await apart { try core.unlock(asking: asker, interest) } }
        var heard = asked.makeAsyncIterator()
        await heard.next()
        await #expect(throws: AgentError.refused(.locked)) {
            try await apart { try core.unlock(asking: nil, try Cancellation()) }
        }
        interest.cancel()
        await #expect(throws: AgentError.refused(.cancelled)) { try await waiting.value }
    }

    @Test func `a lock waits for a use that began before it`() async throws {
        let core = AgentCore(opener: opener)
        let open = try await apart { try core.unlock(with: try secret(passphrase)) }
        let (using, isUsing) = AsyncStream.makeStream(of: Void.self)
        let goOn = try Cancellation()
        let listening = Listening()
        let use = Task {
            try await apart {
                open.use {
                    isUsing.yield()
                    _ = goOn.wait(for: -1, milliseconds: 600_000)
                    listening.vaultUsed()
                }
            }
        }
        var heard = using.makeAsyncIterator()
        await heard.next()
        opener.whenClosed.withLock { $0 = { goOn.cancel() } }
        #expect(try await apart { core.lock(.request) })
        #expect(listening.heard.withLock { $0 } == ["used"])
        try await use.value
    }

    @Test func `after a stop no one opens the vault`() async throws {
        let core = AgentCore(opener: opener)
        try await apart { core.stop() }
        await #expect(throws: AgentError.refused(.stopping)) {
            try await apart { try core.unlock(asking: nil, try Cancellation()) }
        }
        await #expect(throws: AgentError.refused(.stopping)) {
            try await apart { try core.unlock(with: try secret(passphrase)) }
        }
        #expect(opener.closed.load(ordering: .relaxed) == opener.opened.load(ordering: .relaxed))
    }

    @Test func `a vault whose file was taken away is locked at the next call`() async throws {
        let agent = try TestAgent(unattended: true, hasFile: true)
        let service = CarriedService(try await apart { try agent.client() })
        _ = try await service(Operations.createIdentity, "Ada")
        try agent.takeFileAway()
        await #expect(throws: AgentError.refused(.vaultGone)) { try await service(Operations.identity) }
        #expect(agent.core.isLocked)
        #expect(agent.opener.closed.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: [StoreError.rekeyed, .corrupt, .notAVault, .tampered(.head)])
    func `a vault that another process changed beyond use is locked, with the vault's own error`(
        _ fault: StoreError
    ) async throws {
        let agent = try TestAgent(unattended: true)
        let service = CarriedService(try await apart { try agent.client() })
        _ = try await service(Operations.createIdentity, "Ada")
        agent.opener.fault.error.withLock { $0 = fault }
        await #expect(throws: VaultError.store(fault)) { try await service(Operations.identity) }
        #expect(agent.core.isLocked)
        agent.opener.fault.error.withLock { $0 = nil }
        #expect(try await service(Operations.identity).name == "Ada")
    }

    @Test(arguments: [StoreError.busy, .diskFull, .conflict])
    func `a store that cannot just now leaves the vault open`(_ fault: StoreError) async throws {
        let agent = try TestAgent(unattended: true)
        let service = CarriedService(try await apart { try agent.client() })
        _ = try await service(Operations.createIdentity, "Ada")
        agent.opener.fault.error.withLock { $0 = fault }
        await #expect(throws: VaultError.store(fault)) { try await service(Operations.identity) }
        #expect(!agent.core.isLocked)
    }

    @Test func `what another process writes is there at the next call`() async throws {
        let agent = try TestAgent(unattended: true)
        let service = CarriedService(try await apart { try agent.client() })
        _ = try await service(Operations.createIdentity, "Ada")
        _ = try await Vault(store: agent.opener.store).setName("Ada Lovelace")
        #expect(try await service(Operations.identity).name == "Ada Lovelace")
    }
}
