import AgentProtocol
import Foundation
import Glibc
import SSHFormats
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// The gate: verdict, question, entry, answer, in this order.
struct GateTests {
    @Test func `what is allowed is in the log before the answer`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.login) == nil)
        #expect(try await fixture.log() == ["unlock allowed ", "sign allowed directLogin"])
        let entry = try #require(try await fixture.opened.vault.auditEntries(AuditQuery()).last?.entry)
        #expect(entry.target == "me@db1")
        #expect(entry.subject == "work")
        #expect(entry.program == "/usr/bin/ssh")
    }

    @Test func `no one to ask is a no`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.file)?.name == "nobodyToAsk")
        #expect(try await fixture.refusal(GateFixture.raw, ScriptedPrompter())?.exitCode == 6)
        #expect(
            try await fixture.log().suffix(2) == [
                "sign refused otherNamespace:nobodyToAsk", "sign refused rawData:nobodyToAsk",
            ]
        )
    }

    @Test func `a yes for an hour is asked for once, a yes for raw data each time`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        let prompter = ScriptedPrompter(
            .success(.remember(seconds: 3_000)),
            .success(.remember(seconds: 3_000)),
            .success(.once)
        )
        #expect(try await fixture.refusal(GateFixture.file, prompter) == nil)
        #expect(try await fixture.refusal(GateFixture.file, prompter) == nil)
        #expect(try await fixture.refusal(GateFixture.raw, prompter) == nil)
        #expect(try await fixture.refusal(GateFixture.raw, prompter) == nil)
        #expect(prompter.questions.map(\.remember) == [3_600, nil, nil])
        #expect(try await fixture.log().contains("sign allowed remembered"))
    }

    @Test(arguments: [
        (Result<Said, PromptError>.success(.deny), "promptDismissed"),
        (.failure(.cancelled), "cancelled"),
        (.failure(.timedOut(seconds: 1)), "promptTimeout"), (.failure(.failed(status: 1)), "nobodyToAsk"),
    ])
    func `everything but a yes is a no`(answer: Result<Said, PromptError>, name: String) async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.file, ScriptedPrompter(answer))?.name == name)
        #expect(try await fixture.log().last == "sign refused otherNamespace:\(name)")
    }

    @Test func `a lock forgets every yes, is in the log, and nothing happens after it`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        let prompter = ScriptedPrompter(.success(.remember(seconds: 3_000)))
        #expect(try await fixture.refusal(GateFixture.file, prompter) == nil)
        await waiting { fixture.gate.vaultLocked(.idle) }
        #expect(try await fixture.refusal(GateFixture.login) == .locked)
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.file, prompter)?.name == "nobodyToAsk")
        #expect(try await fixture.log().contains("lock allowed idle"))
    }

    @Test func `wrong secrets of before the opening are in the log, each with its program`() async throws {
        let fixture = try GateFixture()
        let pair = try SocketPair()
        let peer = try Peer(socket: pair.ours)
        peer.identify(on: pair.ours)
        _ = peer.hears(getpid())
        for _ in 0..<70 { fixture.gate.unlockTried(by: peer, isRight: false) }
        fixture.gate.unlockTried(by: peer, isRight: true)
        try await fixture.open()
        let log = try await fixture.opened.vault.auditEntries(AuditQuery())
        #expect(log.count == 66)
        #expect(log.prefix(64).allSatisfy { $0.entry.kind == .unlock && $0.entry.reason == "wrongSecret" })
        #expect(log[64].entry.reason == "wrongSecret:6more")
        #expect(log[65].entry.verdict == .allowed)
        #expect([log[0], log[65]].allSatisfy { $0.entry.program.hasPrefix(peer.program.path ?? "-") })
        await waiting { fixture.gate.vaultLocked(.request) }
        try await fixture.open()
        #expect(try await fixture.log().filter { $0.hasPrefix("unlock refused") }.count == 65)
    }

    @Test func `a vault that closes knows its log up to the lock, which is there once`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.login) == nil)
        await waiting {
            fixture.gate.vaultCloses(fixture.opened, .request)
            fixture.gate.vaultLocked(.request)
        }
        #expect(
            try await fixture.log() == [
                "unlock allowed ", "sign allowed directLogin", "lock allowed request",
            ]
        )
        let report = try await fixture.opened.vault.checkAudit()
        #expect(report.isWhole && report.marked == 3)
    }

    @Test func `what is done to the keys of the agent is in the log`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        let pair = try SocketPair()
        let connection = try Connection(socket: dup(pair.ours))
        let changes: [RingChange] = [
            .add(name: "a", fingerprint: "SHA256:x"), .remove(name: "a", fingerprint: "SHA256:x"),
            .removeAll(count: 2), .store(name: "b", fingerprint: "SHA256:y"),
        ]
        for change in changes {
            #expect(await waiting { fixture.gate.records(change, for: connection) })
        }
        let log = try await fixture.opened.vault.auditEntries(AuditQuery()).dropFirst().map(\.entry)
        #expect(log.allSatisfy { $0.kind == .key && $0.verdict == .allowed && $0.process == getpid() })
        #expect(log.map(\.act) == ["lend", "remove", "remove-all", "store"])
        #expect(log.map(\.subject) == ["a", "a", "2", "b"])
        await waiting { fixture.gate.vaultLocked(.request) }
        #expect(await waiting { fixture.gate.records(changes[0], for: connection) } == false)
    }

    @Test func `a yes to one change of trust lets no other one through`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        let hsip = Requester(uid: geteuid(), program: .own(path: "/usr/bin/hsip"))
        let prompter = ScriptedPrompter(
            .success(.remember(seconds: 3_000)),
            .success(.remember(seconds: 3_000)),
            .success(.deny)
        )
        let cancellation = try Cancellation()
        for (address, expected) in [("new", nil), ("evil", nil), ("evil", Refusal.dismissed)] {
            var change = HostChange()
            change.host = address
            let request = Operations.setSSHHost.request("prod", change)
            let refusal = await waiting { () -> Refusal? in
                do throws(Refusal) {
                    var call = GateCall(
                        request: request,
                        acts: try fixture.gate.acts(of: request, by: hsip),
                        requester: hsip,
                        prompter: prompter,
                        cancellation: cancellation
                    )
                    try fixture.gate.permit(&call)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(refusal == expected)
        }
        #expect(prompter.questions.map(\.remember) == [nil, nil, nil])
        #expect(
            prompter.questions.map { $0.lines.last } == ["Address: new", "Address: evil", "Address: evil"]
        )
    }

    @Test func `a key from another machine is asked about, and the answer is in the log`() async throws {
        let prompter = ScriptedPrompter(.success(.once), .success(.deny))
        let fixture = try GateFixture(asking: prompter)
        let pair = try SocketPair()
        let connection = try Connection(socket: dup(pair.ours))
        let cancellation = try Cancellation()
        let change = RingChange.add(name: "theirs", fingerprint: "SHA256:x")
        @Sendable func ask() async -> Bool {
            await waiting {
                fixture.gate.permits(change, through: ["far.example"], for: connection, until: cancellation)
            }
        }
        // A locked vault takes no key, and nobody is asked.
        #expect(await ask() == false)
        #expect(prompter.questions.isEmpty)
        try await fixture.open()
        #expect(await ask())
        #expect(await ask() == false)
        // Nobody is there any more.
        #expect(await ask() == false)
        #expect(prompter.questions.count == 3)
        #expect(
            prompter.questions.allSatisfy {
                $0.lines.contains("Way: asked from another machine, through far.example")
            }
        )
        #expect(
            try await fixture.log().dropFirst() == [
                "key allowed forwarded:yes", "key refused forwarded:promptDismissed",
                "key refused forwarded:nobodyToAsk",
            ]
        )
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
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.file, LockingPrompter(gate: fixture.gate)) == .locked)
    }

    @Test func `a question ends when the vault is locked`() async throws {
        struct WaitingPrompter: Prompter {
            let gate: Gate
            func passphrase(_: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
                throw .nobody
            }
            func confirm(_: ConfirmQuestion, _ end: Cancellation) throws(PromptError) -> Said {
                gate.vaultLocked(.idle)
                throw end.wait(for: -1, milliseconds: 60_000) == .cancelled ? .cancelled : .nobody
            }
        }
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.file, WaitingPrompter(gate: fixture.gate)) == .locked)
    }

    @Test func `rules that another program adds hold, and unreadable ones stop everything`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        #expect(try await fixture.refusal(GateFixture.login) == nil)
        fixture.gate.doubtRules()
        var rule = Rule(name: "never", effect: .deny)
        rule.subject = "work"
        try await fixture.opened.vault.addRule(rule)
        let refusal = try await fixture.refusal(GateFixture.login)
        #expect(refusal?.name == "policyRefused")
        #expect(try await fixture.log().last == "sign refused rule:never")
        _ = try await fixture.opened.vault.removeRule("never")
        #expect(try await fixture.refusal(GateFixture.login) == nil)
    }

    @Test func `what cannot be written down is refused, and a lock still locks`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        let folder = fixture.scratch.path + "/audit"
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        #expect(try await fixture.refusal(GateFixture.login)?.exitCode == 12)
        await waiting { fixture.gate.vaultLocked(.request) }
        #expect(try await fixture.refusal(GateFixture.login) == .locked)
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
        return QuestionText.confirm(many, of: request.policy, by: GateFixture.ssh).count
    }

    @Test func `what needs several questions is allowed by a yes to each of them, or not at all`()
        async throws
    {
        let fixture = try GateFixture()
        try await fixture.open()
        let count = try Self.questions()
        try #require(count > 2)
        for no in 0..<count {
            let answers = (0..<count).map {
                Result<Said, PromptError>.success($0 == no ? .deny : .remember(seconds: 60))
            }
            let prompter = ScriptedPrompter(answers)
            #expect(try await fixture.refusal(Self.many, prompter) == .dismissed)
            #expect(prompter.questions.count == no + 1)
        }
        #expect(
            try await fixture.log().dropFirst().allSatisfy { $0 == "read refused otherRead:promptDismissed" }
        )
        // No yes that was said before the no is remembered.
        #expect(try await fixture.refusal(Self.many[0])?.name == "nobodyToAsk")
        let prompter = ScriptedPrompter(Array(repeating: .success(.once), count: count))
        #expect(try await fixture.refusal(Self.many, prompter) == nil)
        #expect(try await fixture.log().suffix(40).allSatisfy { $0 == "read allowed otherRead:yes" })
        #expect(try await fixture.refusal(Self.many[0])?.name == "nobodyToAsk")
    }

    @Test func `a yes for longer to each of several questions is remembered for all of them`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        let count = try Self.questions()
        let prompter = ScriptedPrompter(Array(repeating: .success(.remember(seconds: 3_000)), count: count))
        #expect(try await fixture.refusal(Self.many, prompter) == nil)
        #expect(try await fixture.refusal(Self.many) == nil)
        #expect(try await fixture.log().suffix(40).allSatisfy { $0 == "read allowed remembered" })
    }
}
