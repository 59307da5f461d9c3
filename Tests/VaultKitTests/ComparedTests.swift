import HSIP
import RecordStore
import Testing
import VaultCrypto
import VaultKit

struct ComparedTests {
    @Test func `a comparison counts for what was compared, not for a pairing made meanwhile`() async throws {
        let couple = try await Couple()
        let compared = try await couple.alice.vault(Operations.comparison, "bob")
        couple.clock.advance(by: 60)
        try await couple.alice.pair(with: couple.bob)
        await #expect(throws: VaultError.store(.conflict)) {
            try await couple.alice.vault(Operations.markVerified, compared, .emoji)
        }
        let again = try await couple.alice.vault(Operations.comparison, "bob")
        #expect(
            try await couple.alice.vault(Operations.markVerified, again, .emoji).contact?.contact.trust
                == .verified
        )
    }

    @Test func `a verified contact that paired again must be compared again before it gets anything`()
        async throws
    {
        let couple = try await Couple()
        _ = try await couple.alice.vault(
            Operations.setContact,
            "bob",
            ContactChange(requiresVerification: true)
        )
        let first = try await couple.alice.vault(Operations.comparison, "bob")
        _ = try await couple.alice.vault(Operations.markVerified, first, .emoji)
        couple.clock.advance(by: 60)
        try await couple.alice.pair(with: couple.bob)
        await #expect(throws: VaultError.notVerified) { try await couple.alice.write("hi", to: couple.bob) }
        let second = try await couple.alice.vault(Operations.comparison, "bob")
        _ = try await couple.alice.vault(Operations.markVerified, second, .emoji)
        #expect(try await couple.alice.write("hi", to: couple.bob).sent == 1)
    }

    @Test func `a name with two owners is never guessed, also by a vault that knew the first`() async throws {
        let couple = try await Couple()
        _ = try await couple.alice.write("hi", to: couple.bob)
        let id = try RecordID("hsip.contact", String(repeating: "ab", count: 32))
        let record = try await couple.alice.vault(Operations.contact, "bob").contact
        let floor = try couple.alice.store.read { (reader) throws(StoreError) in reader.floor }
        var changes = ChangeSet(floor: floor)
        changes.put(
            RecordDraft(
                id: id,
                attributes: try Attributes(["alias": "bob"]),
                body: try RecordContent.encode(record)
            ),
            expecting: 0
        )
        try couple.alice.store.commit(changes)
        await #expect(throws: VaultError.hsip(.ambiguousName)) {
            try await couple.alice.write("hi", to: couple.bob)
        }
    }
}
