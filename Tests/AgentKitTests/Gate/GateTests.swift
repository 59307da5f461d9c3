import AgentProtocol
import Foundation
import Glibc
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// The gate: verdict, question, entry, answer, in this order.
struct GateTests {
    @Test func `what is allowed is in the log before the answer`() async throws {
        let house = try GateHouse()
        try await house.open()
        #expect(try await house.refusal(GateHouse.login) == nil)
        #expect(try await house.log() == ["unlock allowed ", "sign allowed directLogin"])
        let entry = try #require(try await house.opened.vault.auditEntries(AuditQuery()).last?.entry)
        #expect(entry.target == "me@db1")
        #expect(entry.subject == "work")
        #expect(entry.program == "/usr/bin/ssh")
    }

    @Test func `nobody to ask is a no`() async throws {
        let house = try GateHouse()
        try await house.open()
        #expect(try await house.refusal(GateHouse.file)?.name == "nobodyToAsk")
        #expect(try await house.refusal(GateHouse.raw, ScriptedPrompter())?.exitCode == 6)
        #expect(
            try await house.log().suffix(2) == [
                "sign refused otherNamespace:nobodyToAsk", "sign refused rawData:nobodyToAsk",
            ]
        )
    }

    @Test func `a yes for an hour is asked for once, a yes for raw data each time`() async throws {
        let house = try GateHouse()
        try await house.open()
        let prompter = ScriptedPrompter(
            .success(.remember(seconds: 3_000)),
            .success(.remember(seconds: 3_000)),
            .success(.once)
        )
        #expect(try await house.refusal(GateHouse.file, prompter) == nil)
        #expect(try await house.refusal(GateHouse.file, prompter) == nil)
        #expect(try await house.refusal(GateHouse.raw, prompter) == nil)
        #expect(try await house.refusal(GateHouse.raw, prompter) == nil)
        #expect(prompter.questions.map(\.remember) == [3_600, nil, nil])
        #expect(try await house.log().contains("sign allowed remembered"))
    }

    @Test(arguments: [
        (Result<Said, PromptError>.success(.deny), "promptDismissed"),
        (.failure(.cancelled), "cancelled"),
        (.failure(.timedOut(seconds: 1)), "promptTimeout"), (.failure(.failed(status: 1)), "nobodyToAsk"),
    ])
    func `everything but a yes is a no`(answer: Result<Said, PromptError>, name: String) async throws {
        let house = try GateHouse()
        try await house.open()
        #expect(try await house.refusal(GateHouse.file, ScriptedPrompter(answer))?.name == name)
        #expect(try await house.log().last == "sign refused otherNamespace:\(name)")
    }

    @Test func `a lock forgets every yes, is in the log, and nothing happens after it`() async throws {
        let house = try GateHouse()
        try await house.open()
        let prompter = ScriptedPrompter(.success(.remember(seconds: 3_000)))
        #expect(try await house.refusal(GateHouse.file, prompter) == nil)
        await waiting { house.gate.vaultLocked(.idle) }
        #expect(try await house.refusal(GateHouse.login) == .locked)
        try await house.open()
        #expect(try await house.refusal(GateHouse.file, prompter)?.name == "nobodyToAsk")
        #expect(try await house.log().contains("lock allowed idle"))
    }

    @Test func `wrong secrets of before the opening are in the log, each with its program`() async throws {
        let house = try GateHouse()
        let pair = try SocketPair()
        let peer = try Peer(socket: pair.ours)
        peer.identify(on: pair.ours)
        _ = peer.hears(getpid())
        for _ in 0..<70 { house.gate.unlockTried(by: peer, isRight: false) }
        house.gate.unlockTried(by: peer, isRight: true)
        try await house.open()
        let log = try await house.opened.vault.auditEntries(AuditQuery())
        #expect(log.count == 66)
        #expect(log.prefix(64).allSatisfy { $0.entry.kind == .unlock && $0.entry.reason == "wrongSecret" })
        #expect(log[64].entry.reason == "wrongSecret:6more")
        #expect(log[65].entry.verdict == .allowed)
        #expect([log[0], log[65]].allSatisfy { $0.entry.program.hasPrefix(peer.program.path ?? "-") })
        await waiting { house.gate.vaultLocked(.request) }
        try await house.open()
        #expect(try await house.log().filter { $0.hasPrefix("unlock refused") }.count == 65)
    }

    @Test func `a vault that closes knows its log up to the lock, which is there once`() async throws {
        let house = try GateHouse()
        try await house.open()
        #expect(try await house.refusal(GateHouse.login) == nil)
        await waiting {
            house.gate.vaultCloses(house.opened, .request)
            house.gate.vaultLocked(.request)
        }
        #expect(
            try await house.log() == ["unlock allowed ", "sign allowed directLogin", "lock allowed request"]
        )
        let report = try await house.opened.vault.checkAudit()
        #expect(report.isWhole && report.marked == 3)
    }

    @Test func `what is done to the keys of the agent is in the log`() async throws {
        let house = try GateHouse()
        try await house.open()
        let pair = try SocketPair()
        let connection = try Connection(socket: dup(pair.ours))
        let changes: [RingChange] = [
            .lend(name: "a", fingerprint: "SHA256:x"), .remove(name: "a", fingerprint: "SHA256:x"),
            .removeAll(count: 2), .store(name: "b", fingerprint: "SHA256:y"),
        ]
        for change in changes {
            #expect(await waiting { house.gate.records(change, for: connection) })
        }
        let log = try await house.opened.vault.auditEntries(AuditQuery()).dropFirst().map(\.entry)
        #expect(log.allSatisfy { $0.kind == .key && $0.verdict == .allowed && $0.process == getpid() })
        #expect(log.map(\.act) == ["lend", "remove", "remove-all", "store"])
        #expect(log.map(\.subject) == ["a", "a", "2", "b"])
        await waiting { house.gate.vaultLocked(.request) }
        #expect(await waiting { house.gate.records(changes[0], for: connection) } == false)
    }

    @Test func `a yes to a question of before a lock counts for nothing`() async throws {
        struct LockingPrompter: Prompter {
            let gate: Gate
            func passphrase(_: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
                throw .nobody
            }
            func confirm(_: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said {
                gate.vaultLocked(.request)
                return .once
            }
        }
        let house = try GateHouse()
        try await house.open()
        #expect(try await house.refusal(GateHouse.file, LockingPrompter(gate: house.gate)) == .locked)
    }

    @Test func `rules that another program adds hold, and unreadable ones stop everything`() async throws {
        let house = try GateHouse()
        try await house.open()
        #expect(try await house.refusal(GateHouse.login) == nil)
        house.gate.doubtRules()
        var rule = Rule(name: "never", effect: .deny)
        rule.subject = "work"
        try await house.opened.vault.addRule(rule)
        let refusal = try await house.refusal(GateHouse.login)
        #expect(refusal?.name == "policyRefused")
        #expect(try await house.log().last == "sign refused rule:never")
        _ = try await house.opened.vault.removeRule("never")
        #expect(try await house.refusal(GateHouse.login) == nil)
    }

    @Test func `what cannot be written down is refused, and a lock still locks`() async throws {
        let house = try GateHouse()
        try await house.open()
        let folder = house.scratch.path + "/audit"
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        #expect(try await house.refusal(GateHouse.login)?.exitCode == 12)
        await waiting { house.gate.vaultLocked(.request) }
        #expect(try await house.refusal(GateHouse.login) == .locked)
    }

    @Test func `our own program is the one beside the agent and no other of its name`() {
        let own = OwnPrograms(["/usr/bin/hsip"])
        #expect(own.program(.path("/usr/bin/hsip")) == .own(path: "/usr/bin/hsip"))
        #expect(own.program(.path("/tmp/hsip")) == .other(path: "/tmp/hsip"))
        #expect(own.program(.unknown) == .unknown)
    }

    /// More than one question shows.
    private static let many = (0..<40).map {
        Act.read(operation: "secret.resolve", name: "prod/service-\($0)/password")
    }

    /// How many questions it takes to show them.
    private static func questions() throws -> Int {
        let request = try #require(OperationRequest.sample(of: many))
        return QuestionText.confirm(many, of: request.policy, by: GateHouse.ssh).count
    }

    @Test func `what needs several questions is allowed by a yes to each of them, or not at all`()
        async throws
    {
        let house = try GateHouse()
        try await house.open()
        let count = try Self.questions()
        try #require(count > 2)
        for no in 0..<count {
            let answers = (0..<count).map {
                Result<Said, PromptError>.success($0 == no ? .deny : .remember(seconds: 60))
            }
            let prompter = ScriptedPrompter(answers)
            #expect(try await house.refusal(Self.many, prompter) == .dismissed)
            #expect(prompter.questions.count == no + 1)
        }
        #expect(
            try await house.log().dropFirst().allSatisfy { $0 == "read refused otherRead:promptDismissed" }
        )
        // No yes that was said before the no is remembered.
        #expect(try await house.refusal(Self.many[0])?.name == "nobodyToAsk")
        let prompter = ScriptedPrompter(Array(repeating: .success(.once), count: count))
        #expect(try await house.refusal(Self.many, prompter) == nil)
        #expect(try await house.log().suffix(40).allSatisfy { $0 == "read allowed otherRead:yes" })
        #expect(try await house.refusal(Self.many[0])?.name == "nobodyToAsk")
    }

    @Test func `a yes for longer to each of several questions is remembered for all of them`() async throws {
        let house = try GateHouse()
        try await house.open()
        let count = try Self.questions()
        let prompter = ScriptedPrompter(Array(repeating: .success(.remember(seconds: 3_000)), count: count))
        #expect(try await house.refusal(Self.many, prompter) == nil)
        #expect(try await house.refusal(Self.many) == nil)
        #expect(try await house.log().suffix(40).allSatisfy { $0 == "read allowed remembered" })
    }
}
