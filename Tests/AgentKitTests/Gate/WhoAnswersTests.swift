import AgentProtocol
import Glibc
import HSIP
import RecordStore
import SSHFormats
import Secrets
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// A question that travels back is answered by the program that caused it.
struct WhoAnswersTests {
    private struct Fixed: Prompter {
        let answer: Said

        func passphrase(_: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
            throw .nobody
        }

        func confirm(_: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said { answer }
    }

    /// This process asks the gate for something; `theirs` is what it answers by itself.
    @discardableResult
    private func permit(
        _ operation: String,
        isOwn: Bool = false,
        theirs: Said = .deny,
        ours: Said? = nil,
        asks: Hello.Asking = .terminal
    ) async throws -> Caller {
        let request = try #require(OperationRequest.sample(operation))
        return try await permit(request, isOwn: isOwn, theirs: theirs, ours: ours, asks: asks)
    }

    @discardableResult
    private func permit(
        _ request: OperationRequest,
        isOwn: Bool = false,
        theirs: Said = .deny,
        ours: Said? = nil,
        asks: Hello.Asking = .terminal,
        rules: [Rule] = [],
        asking prompter: ScriptedPrompter? = nil
    ) async throws -> Caller {
        try await apart {
            let scratch = try StoreScratch()
            let store = MemoryStore(entropy: .system, now: { 0 })
            let open = OpenVault(store: store, backend: "file", auditFolder: scratch.path) {}
            let here = ProcessFacts.program(of: getpid()).path ?? ""
            let programs = OwnPrograms(isOwn ? [here] : [])
            for rule in rules {
                try Blocking.wait { () async throws(VaultError) in try await open.vault.addRule(rule) }
            }
            let gate = Gate(prompter: prompter ?? ours.map { Fixed(answer: $0) }, programs: programs)
            gate.vaultOpened(open, for: nil)
            let pair = try SocketPair()
            let peer = try Peer(socket: pair.ours)
            peer.identify(on: pair.ours)
            _ = peer.hears(getpid())
            let caller = ControlCaller(peer, Hello(program: "test", asks: asks))
            return try gate.permit(request, of: caller, Fixed(answer: theirs), try Cancellation()).caller
        }
    }

    @Test(arguments: ["identity.revocation", "rule.add"])
    func `no program but hsip answers for the person`(operation: String) async throws {
        await #expect(throws: Refusal.dismissed) {
            try await permit(operation, theirs: .once, ours: .deny)
        }
        let refusal = await #expect(throws: Refusal.self) { try await permit(operation, theirs: .once) }
        #expect(refusal?.name == "nobodyToAsk")
        try await permit(operation, ours: .once)
    }

    @Test func `the person at the terminal of hsip is the person`() async throws {
        try await permit("identity.revocation", isOwn: true, ours: .deny)
        try await permit("rule.add", isOwn: true, ours: .deny)
    }

    @Test(arguments: [
        "rule.add", "rule.remove", "ssh-key.set", "ssh-host.set", "ssh-host.add", "contact.set",
        "host-keys.remove-line", "host-keys.trust",
    ])
    func `without a terminal hsip changes nothing that decides later, unless a person says yes`(
        operation: String
    ) async throws {
        let refusal = await #expect(throws: Refusal.self) {
            try await permit(operation, isOwn: true, theirs: .once, asks: .nobody)
        }
        #expect(refusal?.name == "nobodyToAsk")
        #expect(refusal?.hint?.hasPrefix("hsip --no-agent COMMAND") == true)
        await #expect(throws: Refusal.dismissed) {
            try await permit(operation, isOwn: true, theirs: .deny, asks: .agent)
        }
        try await permit(operation, isOwn: true, theirs: .once, asks: .agent)
        try await permit(operation, isOwn: true, theirs: .deny, asks: .terminal)
    }

    /// Keeps the call that would be carried.
    private final class Keeper: VaultCarrier {
        private let kept = Mutex<VaultCall?>(nil)

        func carry(_ call: VaultCall) async throws -> VaultAnswer {
            kept.withLock { $0 = call }
            throw VaultError.malformedCall
        }

        static func request(
            _ act: (CarriedService) async throws -> Void
        ) async throws -> OperationRequest {
            let keeper = Keeper()
            try? await act(CarriedService(keeper))
            return try OperationTable.prepare(try #require(keeper.kept.withLock { $0 })).request
        }
    }

    @Test func `a program that is told whether its guess is right is asked about as if it had read`()
        async throws
    {
        let guess = try Secret(copying: Array("1234".utf8))
        let asked = [
            try await Keeper.request {
                _ = try await $0(Operations.removeCredential, "pin", .holds(field: nil, guess))
            },
            try await Keeper.request { vault in
                var change = CredentialChange()
                change.condition = .holds(field: nil, guess)
                _ = try await vault(Operations.setCredential, "pin", change)
            },
            try await Keeper.request { _ = try await $0.importCredentials(CredentialBatch()) },
            try await Keeper.request {
                _ = try await $0.importCredentials(CredentialBatch(), CredentialImportRules(), isTrial: true)
            },
            try await Keeper.request { _ = try await $0(Operations.checkCredentials, []) },
        ]
        for request in asked {
            let refusal = await #expect(throws: Refusal.self) { try await permit(request) }
            #expect(refusal?.name == "nobodyToAsk", "\(request.policy.operation)")
            try await permit(request, ours: .once)
            try await permit(request, isOwn: true)
        }
    }

    @Test func `a secret under another name is a secret that no rule knows, so a program is asked`()
        async throws
    {
        let request = try await Keeper.request {
            _ = try await $0(Operations.moveCredential, "prod", "ci/token")
        }
        let refusal = await #expect(throws: Refusal.self) { try await permit(request) }
        #expect(refusal?.name == "nobodyToAsk")
        #expect(refusal?.hint == "hsip agent rule add NAME allow --kind decide --subject SECRET --for 1h")
        try await permit(request, ours: .once)
        try await permit(request, isOwn: true)
    }

    @Test func `the question about a rule that goes shows what the rule says`() async throws {
        var rule = Rule(name: "no5", effect: .deny)
        rule.subject = "prod"
        let request = try await Keeper.request { _ = try await $0(Operations.removeRule, "no5") }
        let prompter = ScriptedPrompter(.success(.once))
        try await permit(request, rules: [rule], asking: prompter)
        let question = try #require(prompter.questions.first)
        #expect(question.lines.contains("Rule: deny, every kind of act"))
        #expect(question.lines.contains("Only subject: prod"))
        #expect(question.remember == nil)
    }

    @Test func `a program that gives something a name which a rule refuses is refused`() async throws {
        var rule = Rule(name: "no", effect: .deny)
        rule.subject = "prod"
        let renamings = [
            try await Keeper.request {
                _ = try await $0(Operations.setContact, "bob", ContactChange(alias: "prod"))
            },
            try await Keeper.request { vault in
                var change = KeyChange()
                change.name = "prod"
                _ = try await vault(Operations.setSSHKey, "bob", change)
            },
            try await Keeper.request { vault in
                var change = HostChange()
                change.name = "prod"
                _ = try await vault(Operations.setSSHHost, "bob", change)
            },
            try await Keeper.request { vault in
                var change = HostChange()
                change.name = "PROD"
                _ = try await vault(Operations.setSSHHost, "Bob", change)
            },
        ]
        for request in renamings {
            let refusal = await #expect(throws: Refusal.self) {
                try await permit(request, ours: .once, rules: [rule])
            }
            #expect(refusal?.name == "policyRefused", "\(request.policy.operation)")
            let prompter = ScriptedPrompter(.success(.once))
            try await permit(request, asking: prompter)
            let title = prompter.questions.first?.title ?? ""
            #expect(title.contains("bob") && title.contains("prod"), "\(title)")
        }
    }

    @Test func `a change that asks for no value is free`() async throws {
        let requests = [
            try await Keeper.request { vault in
                var change = CredentialChange()
                try change.put("me", in: "user")
                change.condition = .present
                _ = try await vault(Operations.setCredential, "pin", change)
            },
            try await Keeper.request { _ = try await $0(Operations.removeCredential, "pin", .any) },
            try await Keeper.request { _ = try await $0(Operations.restoreCredential, "pin") },
        ]
        for request in requests { try await permit(request) }
    }

    @Test func `a program on a socket calls no operation of items, whatever it says`() async throws {
        let names = OperationTable.names.filter { $0.hasPrefix("item.") }
        #expect(names.count > 10)
        for name in names {
            let request = try #require(OperationRequest.sample(name))
            let prompter = ScriptedPrompter(.success(.once))
            let refusal = await #expect(throws: Refusal.self) { try await permit(request, asking: prompter) }
            #expect(refusal?.name == "unknownOperation", "\(name)")
            #expect(prompter.questions.isEmpty, "\(name)")
        }
    }

    @Test(arguments: [true, false])
    func `a look is that of hsip only where it is hsip`(isOwn: Bool) async throws {
        #expect(try await permit("host-keys.check", isOwn: isOwn).isOwn == isOwn)
    }
}
