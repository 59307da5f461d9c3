import HSIP
import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit

/// A damaged identity stops what speaks for it, and nothing else.
struct DamagedIdentityTests {
    /// Alice, who knows Bob, over a store whose identity cannot be vouched for.
    private func alice() async throws -> any VaultService {
        let clock = TestClock()
        let memory = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        let whole = Vault(store: memory, clock: { clock.now }).service
        _ = try await whole(Operations.createIdentity, "Alice")
        let bob = try await Person("Bob", clock: clock)
        _ = try await whole(
            Operations.accept,
            try #require(try await bob.vault(Operations.makeOffer, OfferRequest(), nil).code),
            AcceptOptions()
        )
        let identity = try RecordID("hsip.identity", "self")
        return Vault(store: DamagedStore(memory, identity), clock: { clock.now }).service
    }

    @Test func `contacts are listed and shown beside a damaged identity`() async throws {
        let vault = try await alice()
        #expect(try await vault(Operations.contacts, .kept).map(\.alias) == ["bob"])
        #expect(try await vault(Operations.contact, "bob").sessions.count == 1)
    }

    @Test func `nothing is sealed, paired, compared or changed beside a damaged identity`() async throws {
        let vault = try await alice()
        let text = try Secret(copying: Array("x".utf8))
        let refusals = [
            await #expect(throws: VaultError.self) { try await vault(Operations.encrypt, text, "bob") },
            await #expect(throws: VaultError.self) {
                _ = try await vault(Operations.makeOffer, OfferRequest(), nil)
            },
            await #expect(throws: VaultError.self) { _ = try await vault(Operations.comparison, "bob") },
            await #expect(throws: VaultError.self) { _ = try await vault(Operations.removeContact, "bob") },
            await #expect(throws: VaultError.self) { _ = try await vault(Operations.identity) },
        ]
        for refusal in refusals {
            guard case .store(.tampered(.record(let record))) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(record.kind == "hsip.identity")
        }
    }
}
