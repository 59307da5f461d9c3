import AgentProtocol
import Glibc
import Secrets
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// The gate for programs on the bus: this process is one.
struct GateItemTests {
    private let fixture: GateFixture
    private let program: BusCaller
    private let prompter = EndingPrompter()

    init() throws {
        fixture = try GateFixture(asking: prompter)
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        program = try #require(BusCaller(mine))
    }

    @Test func `reads of an item again and again are one entry, and their number comes with the lock`()
        async throws
    {
        try await fixture.open()
        let id = try await store("x")
        for _ in 0..<50 { #expect(try await read(id) == "x") }
        let once = ["unlock allowed ", "change allowed ", "read allowed ownItem"]
        #expect(try await fixture.log() == once)
        await waiting { fixture.gate.vaultCloses(fixture.opened, .idle) }
        #expect(try await fixture.log() == once + ["read allowed ownItem:49more", "lock allowed idle"])
        await waiting { fixture.gate.vaultLocked(.idle) }
        try await fixture.open()
        #expect(try await read(id) == "x")
        #expect(try await fixture.log().suffix(2) == ["unlock allowed ", "read allowed ownItem"])
    }

    @Test func `without a log no value leaves, also where one was written a moment before`() async throws {
        try await fixture.open()
        let first = try await store("x")
        let second = try await store("y", ["n": "2"])
        #expect(try await read(first) == "x")
        await waiting { fixture.gate.vaultLocked(.idle) }
        for id in [first, second] {
            await #expect(throws: Refusal.locked) { _ = try await read(id) }
        }
    }

    @Test func `a lock that a program asks for names it, and only that lock`() async throws {
        func programs() async throws -> [String] {
            try await fixture.opened.vault.auditEntries(AuditQuery()).map(\.entry)
                .filter { $0.kind == .lock }
                .map(\.program)
        }
        let requester = program.requester
        for reason in [LockReason.request, .idle] {
            try await fixture.open()
            fixture.gate.lockComes(by: requester)
            await waiting {
                fixture.gate.vaultCloses(fixture.opened, reason)
                fixture.gate.vaultLocked(reason)
            }
        }
        try await fixture.open()
        await waiting { fixture.gate.vaultLocked(.request) }
        let named = try await programs()
        #expect(named.count == 3 && named.dropFirst() == ["", ""])
        #expect(named.first?.hasPrefix(ProcessFacts.program(of: getpid()).path ?? "?") == true)
    }

    @Test func `a lock by a program that cannot be told is not one by the person, and the other way round`()
        async throws
    {
        let unknown = Requester(uid: geteuid(), pid: 7, bus: BusProgram(identity: nil))
        for asks in [[unknown], [unknown, nil]] {
            try await fixture.open()
            for requester in asks { fixture.gate.lockComes(by: requester) }
            await waiting {
                fixture.gate.vaultCloses(fixture.opened, .request)
                fixture.gate.vaultLocked(.request)
            }
        }
        let locks = try await fixture.opened.vault.auditEntries(AuditQuery()).map(\.entry)
            .filter { $0.kind == .lock }
        #expect(locks.map(\.program) == ["unknown", ""] && locks.map(\.process) == [7, 0])
    }

    @Test func `a program that has a value in a session without encryption is counted, once`() async throws {
        try await fixture.open()
        let id = try await store("x")
        #expect(try await read(id) == "x")
        #expect(fixture.gate.limiter.plainPrograms == 0)
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        let plain = try #require(BusCaller(mine.plain))
        for _ in 0..<2 { #expect(try await read(id, by: plain) == "x") }
        #expect(fixture.gate.limiter.plainPrograms == 1)
    }

    @Test func `a process that ended before a verdict, or before the answer of a person, gets nothing`()
        async throws
    {
        try await fixture.open()
        let id = try await store("x")
        let child = try Sleeper()
        let other = try #require(BusCaller(try child.behalf()))
        prompter.ends(child)
        await #expect(throws: Refusal.programEnded) { _ = try await read(id, by: other) }
        // Nor is it asked whether the program has the item from now on.
        #expect(prompter.asked == 1)
        await #expect(throws: Refusal.programEnded) { _ = try await read(id, by: other) }
        #expect(prompter.asked == 1)
        let reads = try await fixture.log().filter { $0.hasPrefix("read") }
        #expect(reads == ["read refused otherItem:policyRefused"])
    }

    @Test func `a number that another process has by now is not the process that was seen`() throws {
        let child = try Sleeper()
        let seen = try child.behalf()
        // The front saw one that is gone: its number is in use again, since a moment later.
        let reused = Behalf(bus: ":1.9", pid: seen.pid, start: seen.start - 1)
        #expect(BusCaller(reused) == nil)
        let caller = try #require(BusCaller(seen))
        child.end()
        #expect(!caller.isSame && caller.requester.bus?.identity == nil)
        #expect(BusCaller(seen) == nil)
    }

    // MARK: Steps

    private func store(_ value: String, _ attributes: [String: String] = ["n": "1"]) async throws -> String {
        let making = ItemMaking(
            collection: "login",
            label: "L",
            attributes: try ItemAttributes(
                attributes.map { .init(name: Array($0.key.utf8), value: Array($0.value.utf8)) }
            ),
            value: try Secret(copying: Array(value.utf8))
        )
        let caller = try await permitted(Operations.makeItem.request(making))
        return try await fixture.opened.vault.perform(Operations.makeItem, for: caller, making).place.id
    }

    private func read(_ id: String, by program: BusCaller? = nil) async throws -> String? {
        let reading = ItemReading([id])
        let caller = try await permitted(Operations.itemGet.request(reading), by: program)
        let values = try await fixture.opened.vault.perform(Operations.itemGet, for: caller, reading).values()
        return values.first.map { $0.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) } }
    }

    private func permitted(_ request: OperationRequest, by other: BusCaller? = nil) async throws -> Caller {
        let (cancellation, gate, program) = (try Cancellation(), fixture.gate, other ?? program)
        return try await waiting { () -> Result<Caller, Refusal> in
            do throws(Refusal) {
                return .success(try gate.permit(request, for: program, cancellation).caller)
            } catch {
                return .failure(error)
            }
        }.get()
    }
}

/// A program that does nothing, until it is ended.
private final class Sleeper: Sendable {
    private let pid: pid_t
    private let isOver = Mutex(false)

    init() throws { pid = try ConnectedChild.spawn("/usr/bin/sleep", ["100000"]) }

    /// What a front says of it.
    func behalf() throws -> Behalf { try #require(Behalf(bus: ":1.9", process: pid, label: nil)) }

    /// Ends it, and waits until its number is free.
    func end() {
        isOver.withLock { isOver in
            guard !isOver else { return }
            isOver = true
            kill(pid, SIGKILL)
            var status: Int32 = 0
            _ = unsafe waitpid(pid, &status, 0)
        }
    }

    deinit { end() }
}

/// Says yes to every question, and ends a process before it does.
private final class EndingPrompter: Prompter {
    private let state = Mutex<(child: Sleeper?, asked: Int)>((nil, 0))

    var asked: Int { state.withLock { $0.asked } }

    func ends(_ child: Sleeper) { state.withLock { $0.child = child } }

    func passphrase(_ question: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
        throw .nobody
    }

    func confirm(_ question: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said {
        state.withLock { state in
            state.asked += 1
            state.child?.end()
        }
        return .once
    }
}
