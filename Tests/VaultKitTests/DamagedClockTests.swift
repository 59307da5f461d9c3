import HSIP
import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// A damaged clock mark stops what needs it, and nothing else.
struct DamagedClockTests {
    /// Alice, who knows Bob, over a store whose clock mark cannot be vouched for.
    private func alice() async throws -> any VaultService {
        let clock = TestClock()
        let memory = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        let whole = Vault(store: memory, clock: { clock.now }).service
        _ = try await whole(Operations.createIdentity, "Alice")
        let bob = try await Person("Bob", clock: clock)
        let offer = try #require(try await bob.vault(Operations.makeOffer, OfferRequest(), nil).code)
        _ = try await whole(Operations.accept, offer, AcceptOptions())
        let mark = try RecordID("hsip.clock", "mark")
        return Vault(store: DamagedStore(memory, mark), clock: { clock.now }).service
    }

    @Test func `contacts are listed beside a damaged clock mark`() async throws {
        let vault = try await alice()
        #expect(try await vault(Operations.contacts, .kept).map(\.alias) == ["bob"])
        #expect(try await vault(Operations.identity).name == "Alice")
        _ = try await vault(Operations.revocationNotice)
    }

    @Test func `a password is stored and removed beside a damaged clock mark`() async throws {
        let vault = try await alice()
        var change = CredentialChange()
        try change.put("value", in: "password")
        _ = try await vault(Operations.setCredential, "a", change)
        _ = try await vault(Operations.removeCredential, "a", .any)
        _ = try await vault(Operations.restoreCredential, "a")
        #expect(try await vault.credentials().map(\.name) == ["a"])
    }

    @Test func `nothing is sealed beside a damaged clock mark, and the mark is named`() async throws {
        let vault = try await alice()
        let text = try Secret(copying: Array("x".utf8))
        let refusals = [
            await #expect(throws: VaultError.self) { try await vault(Operations.encrypt, text, "bob") },
            await #expect(throws: VaultError.self) { _ = try await vault.clockMark() },
        ]
        for refusal in refusals {
            guard case .store(.tampered(.record(let record))) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(record.kind == "hsip.clock")
        }
    }
}
