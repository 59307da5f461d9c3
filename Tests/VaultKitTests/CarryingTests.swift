import HSIP
import RecordStore
import SSHFormats
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

/// What an older copy of a vault must not forget when it takes the vault's place.
struct CarryingTests {
    private let clock = TestClock()
    private let alice: Person

    init() async throws { alice = try await Person("Alice", clock: clock, backend: .memory) }

    /// A copy of the vault as it is now: the same records by the same identifiers.
    private func copied() throws -> MemoryStore {
        let copy = MemoryStore(entropy: .system, now: { [clock] in clock.now * 1000 })
        let changes = try alice.store.read { (reader) throws(StoreError) in
            var changes = ChangeSet(floor: 0)
            for info in try reader.list(nil) {
                guard let record = try reader.find(info.id) else { continue }
                let draft = RecordDraft(
                    id: info.id,
                    label: info.label,
                    attributes: info.attributes,
                    expires: info.expires,
                    body: record.body,
                    uid: info.uid,
                    created: info.created
                )
                changes.put(draft, expecting: 0)
            }
            return changes
        }
        try copy.commit(changes)
        return copy
    }

    /// Puts the copy in the vault's place.
    private func restore(_ copy: MemoryStore) throws -> any VaultService {
        let changes = try alice.store.read { (newer) throws(StoreError) in
            try copy.read { (older) throws(StoreError) in
                Carrying.changes(from: newer, to: older, isWhole: true, now: clock.now)
            }
        }
        try copy.commit(ChangeSet(floor: 0, changes: try #require(changes)))
        return Vault(store: copy, clock: { [clock] in clock.now }).service
    }

    private func secret(_ name: String) async throws {
        var change = CredentialChange()
        try change.put("value", in: "password")
        _ = try await alice.vault(Operations.setCredential, name, change)
    }

    private func key(_ name: String, _ use: KeyUse = KeyUse()) async throws {
        _ = try await alice.vault(Operations.generateSSHKey, name, .ed25519, [], use)
    }

    private func rule(_ name: String, subject: String? = nil, host: String? = nil) async throws {
        var rule = Rule(name: name, effect: .deny)
        (rule.subject, rule.host) = (subject, host)
        _ = try await alice.vault(Operations.addRule, rule)
    }

    @Test func `a restore brings no identity back that was renewed since`() async throws {
        let bob = try await Person("Bob", clock: clock, backend: .memory)
        try await alice.pair(with: bob)
        let copy = try copied()
        let new = try await alice.vault(Operations.renewIdentity)
        let restored = try restore(copy)
        #expect(try await restored(Operations.identity) == new)
        #expect(try await restored(Operations.contact, "bob").sessions.isEmpty)
    }

    @Test func `a restore brings no removed, replaced or narrowed key back as it was`() async throws {
        var loose = KeyUse()
        (loose.hosts, loose.lifetime, loose.namespaces) = (["a.t", "b.t"], 3_600, ["git", "file"])
        for name in ["gone", "old", "plain"] { try await key(name) }
        try await key("narrow", loose)
        let copy = try copied()
        _ = try await alice.vault(Operations.removeSSHKey, "gone")
        _ = try await alice.vault.rotateSSHKey("old")
        for name in ["narrow", "plain"] {
            var change = KeyChange()
            change.name = name + "-2"
            (change.needsConfirmation, change.lifetime) = (true, 600)
            (change.hosts, change.namespaces) = (["b.t", "c.t"], ["git"])
            _ = try await alice.vault(Operations.setSSHKey, name, change)
        }
        let vault = try restore(copy)
        #expect(try await vault.sshKey("gone").summary.removedAt == clock.now)
        #expect(try await vault.sshKey("old").summary.state == .retired)
        let narrow = try await vault.sshKey("narrow").summary.use
        #expect(narrow.needsConfirmation && narrow.lifetime == 600)
        #expect(narrow.hosts == ["b.t"] && narrow.namespaces == ["git"])
        let plain = try await vault.sshKey("plain").summary.use
        #expect(plain.needsConfirmation && plain.hosts == ["b.t", "c.t"] && plain.namespaces.isEmpty)
    }

    @Test func `a restore takes no secret out of the trash`() async throws {
        for name in ["gone", "kept"] { try await secret(name) }
        let copy = try copied()
        _ = try await alice.vault(Operations.moveCredential, "gone", "away")
        _ = try await alice.vault(Operations.removeCredential, "away", .any)
        let vault = try restore(copy)
        #expect(try await vault.credentials().map(\.name) == ["kept"])
        #expect(try await vault(Operations.restoreCredential, "gone").removedAt == nil)
    }

    @Test func `a rule made after a rename covers the name that the restore brings back`() async throws {
        let bob = try await Person("Bob", clock: clock)
        try await alice.pair(with: bob)
        try await secret("prod")
        try await key("k")
        let fields = HostProfile.Fields(label: "", host: "10.0.0.1", user: "me", authentication: "password")
        _ = try await alice.vault.addSSHHost(NewHost(name: "db", fields: fields))
        let copy = try copied()
        _ = try await alice.vault(Operations.moveCredential, "prod", "renamed")
        var change = KeyChange()
        change.name = "k2"
        _ = try await alice.vault(Operations.setSSHKey, "k", change)
        _ = try await alice.vault(Operations.setContact, "bob", ContactChange(alias: "bobby"))
        var host = HostChange()
        host.name = "db2"
        _ = try await alice.vault(Operations.setSSHHost, "db", host)
        try await rule("one", subject: "renamed")
        try await rule("two", subject: "k2")
        try await rule("three", subject: "bobby")
        try await rule("four", host: "db2")
        let restored = try restore(copy)
        let rules = try await restored(Operations.rules)
        #expect(
            Set(rules.map { "\($0.effect) \($0.subject ?? $0.host ?? "")" }) == [
                "deny renamed", "deny prod", "deny k2", "deny k", "deny bobby", "deny bob", "deny db2",
                "deny db",
            ]
        )
    }
}
