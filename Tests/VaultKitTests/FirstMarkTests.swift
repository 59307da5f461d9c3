import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// A vault for secrets alone: no identity, and at first no mark of the clock.
struct FirstMarkTests {
    private let clock = TestClock()
    private let vault: any VaultService

    init() {
        let clock = clock
        let store = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        vault = Vault(store: store, clock: { clock.now }).service
    }

    private func put(_ name: String, _ value: String = "value") async throws {
        var change = CredentialChange()
        try change.put(value, in: "password")
        _ = try await vault(Operations.setCredential, name, change)
    }

    private func trash() async throws -> [String] {
        var query = CredentialQuery()
        query.inTrash = true
        return try await vault.credentials(query).map(\.name)
    }

    @Test func `one command under a wrong clock empties no trash where there is no identity`() async throws {
        for name in ["x", "y"] { try await put(name) }
        _ = try await vault(Operations.removeCredential, "x", .any)
        clock.advance(by: 60 * 86_400)
        _ = try await vault(Operations.removeCredential, "y", .any)
        clock.turnBack(by: 60 * 86_400)
        #expect(try await vault(Operations.restoreCredential, "x").removedAt == nil)
        #expect(try await vault(Operations.restoreCredential, "y").removedAt == nil)
    }

    @Test func `a vault begun under a wrong clock keeps its trash once the clock is right`() async throws {
        clock.advance(by: 60 * 86_400)
        for name in ["x", "y"] { try await put(name) }
        clock.turnBack(by: 60 * 86_400)
        _ = try await vault(Operations.removeCredential, "x", .any)
        _ = try await vault(Operations.removeCredential, "y", .any)
        #expect(try await trash() == ["x", "y"])
    }

    @Test func `an identity that comes later keeps the mark that is there`() async throws {
        try await put("x")
        _ = try await vault(Operations.removeCredential, "x", .any)
        clock.advance(by: 60 * 86_400)
        _ = try await vault(Operations.createIdentity, "Alice")
        try await put("y")
        _ = try await vault(Operations.removeCredential, "y", .any)
        #expect(try await trash() == ["x", "y"])
    }

    @Test func `the trash of such a vault forgets after thirty days of use`() async throws {
        try await put("x")
        _ = try await vault(Operations.removeCredential, "x", .any)
        for day in 0...31 {
            clock.advance(by: 23 * 3_600 + 1_800)
            try await put("y", "\(day)")
        }
        _ = try await vault(Operations.removeCredential, "y", .any)
        #expect(try await trash() == ["y"])
    }
}
