import AgentProtocol
import Glibc
import RecordStore
import Support
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
            let caller = ControlCaller(peer, Hello(program: "test", asks: .terminal))
            let call = VaultCall(operation: operation, arguments: [], secrets: [])
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
