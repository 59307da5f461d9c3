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
        _ = try await whole.createIdentity(name: "Alice")
        let bob = try await Person("Bob", clock: clock)
        _ = try await whole.accept(try #require(try await bob.vault.makeOffer().code))
        let identity = try RecordID("hsip.identity", "self")
        return Vault(store: DamagedStore(memory, identity), clock: { clock.now }).service
    }

    @Test func `contacts are listed and shown beside a damaged identity`() async throws {
        let vault = try await alice()
        #expect(try await vault.contacts().map(\.alias) == ["bob"])
        #expect(try await vault.contact("bob").sessions.count == 1)
    }

    @Test func `nothing is sealed, paired, compared or changed beside a damaged identity`() async throws {
        let vault = try await alice()
        let text = try Secret(copying: Array("x".utf8))
        let refusals = [
            await #expect(throws: VaultError.self) { try await vault.encrypt(text, to: "bob") },
            await #expect(throws: VaultError.self) { _ = try await vault.makeOffer() },
            await #expect(throws: VaultError.self) { _ = try await vault.comparison(with: "bob") },
            await #expect(throws: VaultError.self) { _ = try await vault.removeContact("bob") },
            await #expect(throws: VaultError.self) { _ = try await vault.identity() },
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
