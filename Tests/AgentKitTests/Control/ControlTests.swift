import AgentProtocol
import Glibc
import HSIP
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

@testable import AgentKit

@Suite struct ControlTests {
    @Test func `status is told of a locked vault, and opens nothing`() async throws {
        let agent = try TestAgent()
        let status = try await apart { try agent.client() }.status()
        #expect(status.isLocked && status.vaultID == nil)
        #expect(status.protocol == Hello.version && status.program == "hsip-agent 0.0.0")
        #expect(agent.opener.opened.load(ordering: .relaxed) == 0)
    }

    @Test func `a lock for a program that ended is one by a program, and the person's own is not`()
        async throws
    {
        let agent = try TestAgent(isFront: true)
        let client = try await apart { try agent.client() }
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        let ended = Behalf(bus: ":1.1", pid: mine.pid, start: mine.start + 1)
        for request in [AgentRequest.lock(for: mine), .lock(for: ended), .lock()] {
            _ = try await client.request(request)
        }
        let lockers = agent.gate.lockers.withLock { $0 }
        #expect(lockers.map { $0?.pid } == [mine.pid, mine.pid, nil])
        #expect(lockers.map { $0?.bus?.identity != nil } == [true, false, false])
        #expect(lockers.map { $0?.program == .unknown } == [false, true, false])
    }

    @Test func `one connection has many requests at a time, and ends those that wait when it is closed`()
        async throws
    {
        let agent = try TestAgent()
        let (isOpening, release, isOver) = (try Cancellation(), try Cancellation(), try Cancellation())
        let client = try await apart {
            try AgentClient(
                agent.path,
                hello: Hello(program: "hsip 0.0.0", asks: .nobody),
                reading: .polled { _ in }
            )
        }
        try OwnThread.start("reader") {
            while client.readNext() {}
            isOver.cancel()
        }
        agent.opener.before.withLock { before in
            before = {
                isOpening.cancel()
                _ = release.wait(for: -1)
            }
        }
        let given = try secret(passphrase)
        let opened = Task { try await client.request(.unlock(source: .given), secrets: [given]) }
        _ = try await apart { isOpening.wait(for: -1) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await client.status().isLocked } }
            for try await isLocked in group { #expect(isLocked) }
        }
        #expect(client.running == 1)
        client.close()
        let lost = await #expect(throws: AgentError.self) { _ = try await opened.value }
        #expect(lost == .lost(.closed))
        _ = try await apart { isOver.wait(for: -1) }
        #expect(client.running == nil)
        await #expect(throws: AgentError.lost(.closed)) { _ = try await client.status() }
        release.cancel()
    }

    @Test(arguments: [false, true])
    func `a request that cannot be sent ends, although the agent stays connected`(isCancelled: Bool)
        async throws
    {
        let folder = try ScratchFolder()
        let path = folder.file("control.sock")
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        try #require(LocalAddress(path).bind(server) == 0 && listen(server, 1) == 0)
        let isServing = try Cancellation()
        async let greeted = apart {
            isServing.cancel()
            let connection = accept(server, nil, nil)
            let channel = FrameChannel(socket: connection)
            _ = try channel.next()
            try channel.send(Hello(program: "agent 0.0.0").frames(.reply))
            if isCancelled { _ = try channel.next() }
            // From now on it reads nothing, and says nothing.
            shutdown(connection, Int32(SHUT_RD))
            return connection
        }
        _ = try await apart { isServing.wait(for: -1) }
        let client = try await apart {
            try AgentClient(
                path,
                hello: Hello(program: "hsip 0.0.0", asks: .nobody),
                reading: .polled { _ in }
            )
        }
        try OwnThread.start("reader") { while client.readNext() {} }
        func asked() -> Task<AgentStatus, any Error> { Task { try await client.status() } }
        // Either the request is the one that cannot be sent, or it is sent, and its end cannot be.
        let sent = isCancelled ? asked() : nil
        let connection = try await greeted
        defer { close(connection) }
        let first = sent ?? asked()
        if isCancelled { first.cancel() }
        await #expect(throws: AgentError.lost(.closed)) { _ = try await first.value }
        await #expect(throws: AgentError.lost(.closed)) { _ = try await client.status() }
        #expect(client.running == nil)
    }

    @Test func `a call with no one to ask is refused with exit 5 at once`() async throws {
        let agent = try TestAgent()
        let service = CarriedService(try await apart { try agent.client() })
        let error = await #expect(throws: AgentError.self) { try await service(Operations.contacts, .kept) }
        #expect(error == .refused(.locked))
        #expect(Refusal.locked.exitCode == 5)
    }

    @Test func `a call opens the vault by a question at the caller's terminal`() async throws {
        let agent = try TestAgent()
        let caller = TestCaller([.passphrase(try secret("wrong")), .passphrase(try secret(passphrase))])
        let service = CarriedService(try await apart { try agent.client(.terminal, asking: caller) })
        let made = try await service(Operations.createIdentity, "Ada")
        #expect(try await service(Operations.identity) == made)
        #expect(caller.questions.withLock { $0.map(\.attempt) } == [1, 2])
        #expect(agent.gate.asked.withLock { $0 } == ["change identity.create", "names identity"])
    }

    @Test func `three wrong passphrases are the vault's own error`() async throws {
        let agent = try TestAgent()
        let wrong = Answer.passphrase(try secret("wrong"))
        let caller = TestCaller([wrong, wrong, wrong, wrong])
        let service = CarriedService(try await apart { try agent.client(.terminal, asking: caller) })
        await #expect(throws: VaultError.store(.wrongSecret)) {
            try await service(Operations.contacts, .kept)
        }
        #expect(caller.questions.withLock { $0.count } == 3)
    }

    @Test(arguments: [true, false])
    func `that a root was put back is told to our own command line alone, and once`(isOwn: Bool) async throws
    {
        let agent = try TestAgent(unattended: true, isOwn: isOwn)
        let caller = TestCaller([])
        let service = CarriedService(try await apart { try agent.client(.terminal, asking: caller) })
        _ = try await service(Operations.createIdentity, "Ada")
        #expect(caller.heard.withLock { $0 } == [])
        agent.opener.rootReturns.store(1, ordering: .relaxed)
        for _ in 0..<2 { _ = try await service(Operations.identity) }
        #expect(caller.heard.withLock { $0 } == (isOwn ? [AgentEvent(event: .rootPutBack)] : []))
    }

    @Test func `what the vault refuses is the same error as in process`() async throws {
        let agent = try TestAgent(unattended: true)
        let service = CarriedService(try await apart { try agent.client() })
        await #expect(throws: VaultError.noIdentity) { try await service(Operations.identity) }
        _ = try await service(Operations.createIdentity, "Ada")
        await #expect(throws: VaultError.hsip(.unknownContact)) {
            try await service(Operations.contact, "bob")
        }
    }

    @Test func `what the gate refuses is not done`() async throws {
        let agent = try TestAgent(unattended: true)
        let no = Refusal(6, "policy", "the policy says no")
        agent.gate.refusal.withLock { $0 = no }
        let service = CarriedService(try await apart { try agent.client() })
        await #expect(throws: AgentError.refused(no)) { try await service(Operations.createIdentity, "Ada") }
        agent.gate.refusal.withLock { $0 = nil }
        await #expect(throws: VaultError.noIdentity) { try await service(Operations.identity) }
    }

    @Test func `a secret that came along opens the vault, and lock closes it before it is answered`()
        async throws
    {
        let agent = try TestAgent()
        let client = try await apart { try agent.client() }
        let typed = try secret(passphrase)
        guard
            case .status(let open) = try await client.request(.unlock(source: .given), secrets: [typed])
                .reply
        else {
            Issue.record("no status")
            return
        }
        #expect(!open.isLocked && open.vaultID?.count == 32)
        #expect(try await client.request(.lock()).reply == .done)
        #expect(agent.opener.closed.load(ordering: .relaxed) == 1)
        #expect(try await client.status().isLocked)
    }

    @Test func `an unlock without its secret is refused`() async throws {
        let agent = try TestAgent()
        let client = try await apart { try agent.client() }
        await #expect(throws: AgentError.refused(.brokenProtocol)) {
            try await client.request(.unlock(source: .given))
        }
        await #expect(throws: AgentError.vault(.store(.wrongSecret))) {
            try await client.request(.unlock(source: .given), secrets: [try secret("wrong")])
        }
    }

    @Test func `another vault's client is sent away`() async throws {
        let agent = try TestAgent()
        await #expect(throws: AgentError.refused(.otherVault)) {
            try await apart { try agent.client(vault: "/elsewhere/vault.hsipvault") }
        }
        _ = try await apart { try agent.client(vault: "/nowhere/vault.hsipvault") }
    }

    @Test func `an operation that is not known is the vault's refusal`() async throws {
        let agent = try TestAgent(unattended: true)
        let client = try await apart { try agent.client() }
        await #expect(throws: VaultError.unknownOperation) {
            try await client.carry(VaultCall(operation: "no.such", arguments: [], secrets: []))
        }
    }

    @Test func `stop wipes, answers, and then ends the agent`() async throws {
        let agent = try TestAgent(unattended: true)
        let client = try await apart { try agent.client() }
        _ = try await client.request(.unlock(source: .unattended))
        #expect(try await client.request(.stop).reply == .done)
        #expect(agent.core.isLocked)
        #expect(agent.opener.closed.load(ordering: .relaxed) == 1)
        await #expect(throws: AgentError.self) {
            try await client.request(.unlock(source: .unattended))
        }
    }

    @Test func `the lock ends the work of a client that waits for its person`() async throws {
        let agent = try TestAgent()
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let goOn = try Cancellation()
        let caller = TestCaller([.passphrase(try secret(passphrase))]) {
            isAsked.yield()
            _ = goOn.wait(for: -1, milliseconds: 600_000)
        }
        let service = CarriedService(try await apart { try agent.client(.terminal, asking: caller) })
        let contacts = Task { try await service(Operations.contacts, .kept) }
        var heard = asked.makeAsyncIterator()
        await heard.next()
        #expect(try await apart { try agent.client() }.request(.stop).reply == .done)
        goOn.cancel()
        await #expect(throws: AgentError.self) { try await contacts.value }
        #expect(agent.opener.opened.load(ordering: .relaxed) == 0)
    }

    @Test func `fifty clients that wait are all served by one question`() async throws {
        let agent = try TestAgent()
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let goOn = try Cancellation()
        let caller = TestCaller([.passphrase(try secret(passphrase))]) {
            isAsked.yield()
            _ = goOn.wait(for: -1, milliseconds: 600_000)
        }
        let first = CarriedService(try await apart { try agent.client(.terminal, asking: caller) })
        let begun = Task { try await first(Operations.contacts, .kept) }
        var heard = asked.makeAsyncIterator()
        await heard.next()
        let others = TestCaller([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let client = try await apart { try agent.client(.terminal, asking: others) }
                    await #expect(throws: VaultError.noIdentity) {
                        try await CarriedService(client)(Operations.contacts, .kept)
                    }
                }
            }
            goOn.cancel()
            try await group.waitForAll()
        }
        await #expect(throws: VaultError.noIdentity) { try await begun.value }
        #expect(agent.opener.opened.load(ordering: .relaxed) == 1)
        #expect(others.questions.withLock { $0.isEmpty })
    }
}
