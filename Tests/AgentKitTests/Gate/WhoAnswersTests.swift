import AgentProtocol
import Credentials
import Glibc
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit

@testable import AgentKit

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
    private func permit(
        _ operation: String,
        _ touch: Touch,
        isOwn: Bool = false,
        theirs: Said,
        ours: Said?
    ) async throws {
        let call = VaultCall(operation: operation, arguments: [], secrets: [])
        try await permit(call, touch, isOwn: isOwn, theirs: theirs, ours: ours)
    }

    private func permit(
        _ call: VaultCall,
        _ touch: Touch,
        isOwn: Bool = false,
        theirs: Said = .deny,
        ours: Said? = nil,
        asks: Hello.Asking = .terminal
    ) async throws {
        try await apart {
            let scratch = try StoreScratch()
            let store = MemoryStore(entropy: .system, now: { 0 })
            let open = OpenVault(store: store, backend: "file", auditFolder: scratch.path) {}
            let here = ProcessFacts.program(of: getpid()).path ?? ""
            let programs = OwnPrograms(isOwn ? [here] : [])
            let gate = Gate(prompter: ours.map { Fixed(answer: $0) }, programs: programs)
            gate.vaultOpened(open, for: nil)
            let pair = try SocketPair()
            let peer = try Peer(socket: pair.ours)
            peer.identify(on: pair.ours)
            _ = peer.hears(getpid())
            let caller = ControlCaller(peer, Hello(program: "test", asks: asks))
            try gate.permit(call, touch, of: caller, Fixed(answer: theirs), try Cancellation())
        }
    }

    @Test(arguments: [("identity.revocation", Touch.reveal), ("rule.add", .change)])
    func `no program but hsip answers for the person`(operation: String, touch: Touch) async throws {
        await #expect(throws: Refusal.dismissed) {
            try await permit(operation, touch, theirs: .once, ours: .deny)
        }
        await #expect(throws: Refusal.nobodyToAsk) {
            try await permit(operation, touch, theirs: .once, ours: nil)
        }
        try await permit(operation, touch, theirs: .deny, ours: .once)
    }

    @Test func `the person at the terminal of hsip is the person`() async throws {
        try await permit("identity.revocation", .reveal, isOwn: true, theirs: .deny, ours: .deny)
        try await permit("rule.add", .change, isOwn: true, theirs: .deny, ours: .deny)
    }

    @Test(arguments: [
        ("rule.add", Touch.change), ("rule.remove", .change), ("ssh-key.set", .change),
        ("ssh-host.set", .change),
        ("ssh-host.add", .change), ("contact.set", .change), ("host-keys.remove-line", .change),
        ("host-keys.trust", .trust),
    ])
    func `without a terminal hsip changes nothing that decides later, unless a person says yes`(
        operation: String,
        touch: Touch
    ) async throws {
        let call = VaultCall(operation: operation, arguments: [], secrets: [])
        let refusal = await #expect(throws: Refusal.self) {
            try await permit(call, touch, isOwn: true, theirs: .once, asks: .nobody)
        }
        #expect(refusal?.name == "nobodyToAsk")
        await #expect(throws: Refusal.dismissed) {
            try await permit(call, touch, isOwn: true, theirs: .deny, asks: .agent)
        }
        try await permit(call, touch, isOwn: true, theirs: .once, asks: .agent)
        try await permit(call, touch, isOwn: true, theirs: .deny, asks: .terminal)
    }

    /// Keeps the call that would be carried.
    private final class Keeper: VaultCarrier {
        private let kept = Mutex<VaultCall?>(nil)

        func carry(_ call: VaultCall) async throws -> VaultAnswer {
            kept.withLock { $0 = call }
            throw VaultError.malformedCall
        }

        static func call(_ act: (CarriedService) async throws -> Void) async throws -> VaultCall {
            let keeper = Keeper()
            try? await act(CarriedService(keeper))
            return try #require(keeper.kept.withLock { $0 })
        }
    }

    @Test func `a program that is told whether its guess is right is asked about as if it had read`()
        async throws
    {
        let guess = try Secret(copying: Array("1234".utf8))
        let asked: [(VaultCall, Touch)] = [
            (
                try await Keeper.call { _ = try await $0.removeCredential("pin", .holds(field: nil, guess)) },
                .change
            ),
            (
                try await Keeper.call { vault in
                    var change = CredentialChange()
                    change.condition = .holds(field: nil, guess)
                    _ = try await vault.setCredential("pin", change)
                }, .change
            ),
            (try await Keeper.call { _ = try await $0.importCredentials(CredentialBatch()) }, .change),
            (
                try await Keeper.call {
                    _ = try await $0.importCredentials(
                        CredentialBatch(),
                        CredentialImportRules(),
                        isTrial: true
                    )
                }, .look
            ),
            (try await Keeper.call { _ = try await $0.checkCredentials() }, .use),
        ]
        for (call, touch) in asked {
            let refusal = await #expect(throws: Refusal.self) { try await permit(call, touch) }
            #expect(refusal?.name == "nobodyToAsk", "\(call.operation)")
            try await permit(call, touch, ours: .once)
            try await permit(call, touch, isOwn: true)
        }
    }

    @Test func `a secret under another name is a secret that no rule knows, so a program is asked`()
        async throws
    {
        let call = try await Keeper.call { _ = try await $0.moveCredential("prod", to: "ci/token") }
        let refusal = await #expect(throws: Refusal.self) { try await permit(call, .change) }
        #expect(refusal?.name == "nobodyToAsk")
        #expect(refusal?.hint == "hsip agent rule add scripts allow --kind read --subject prod --for 1h")
        try await permit(call, .change, ours: .once)
        try await permit(call, .change, isOwn: true)
    }

    @Test func `a change that asks for no value is free`() async throws {
        let calls = [
            try await Keeper.call { vault in
                var change = CredentialChange()
                try change.put("me", in: "user")
                change.condition = .present
                _ = try await vault.setCredential("pin", change)
            },
            try await Keeper.call { _ = try await $0.removeCredential("pin") },
            try await Keeper.call { _ = try await $0.restoreCredential("pin") },
        ]
        for call in calls { try await permit(call, .change) }
    }

    @Test(arguments: [(true, UInt8(0xF5)), (false, 0xF4)])
    func `that a host was seen is noted for hsip alone`(isOwn: Bool, noting: UInt8) async throws {
        let narrowed = try await apart { () -> [UInt8] in
            let here = ProcessFacts.program(of: getpid()).path ?? ""
            let gate = Gate(prompter: nil, programs: OwnPrograms(isOwn ? [here] : []))
            let pair = try SocketPair()
            let peer = try Peer(socket: pair.ours)
            peer.identify(on: pair.ours)
            _ = peer.hears(getpid())
            let caller = ControlCaller(peer, Hello(program: "test", asks: .terminal))
            // A list of one, which is true.
            let call = VaultCall(operation: "host-keys.check", arguments: [0x81, 0xF5], secrets: [])
            return gate.narrowed(call, of: caller).arguments
        }
        #expect(narrowed == [0x81, noting])
    }
}
