import RecordStore
import SSHFormats
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// Names with an ending that tells them from others, for every kind of record that has a name.
struct NumberedNameTests {
    @Test(arguments: [
        ("a", "-2", "a-2"),
        (String(repeating: "x", count: 246), "-2", String(repeating: "x", count: 246) + "-2"),
        (String(repeating: "x", count: 248), "-10", String(repeating: "x", count: 245) + "-10"),
        (String(repeating: "é", count: 124), "-2", String(repeating: "é", count: 123) + "-2"),
    ])
    func `a number stands behind the name, and the end of a long one gives way`(
        name: String,
        ending: String,
        numbered: String
    ) {
        #expect(NumberedName.adding(ending, to: name, longest: CredentialName.longest) == numbered)
    }

    @Test(arguments: [String(repeating: "👩‍👩‍👧‍👦", count: 9), String(repeating: "x ", count: 124).dropLast() + "y"])
    func `what is numbered is a name`(name: String) {
        for ending in ["-2", "-99", "-100000"] {
            let numbered = NumberedName.adding(ending, to: name, longest: CredentialName.longest)
            #expect(CredentialName.isValid(numbered))
        }
    }

    @Test func `a key of the longest name is found under the name that its rotation leaves it`() async throws
    {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let name = String(repeating: "k", count: KeyName.longest)
        let made = try await vault(Operations.generateSSHKey, name, .ed25519, [], KeyUse())
        let (new, old) = try await vault.rotateSSHKey(name)
        #expect(new.name == name && old.fingerprint == made.fingerprint)
        #expect(KeyName.isValid(old.name))
        #expect(try await vault.sshKey(old.name).record.publicKey.fingerprint.description == made.fingerprint)
    }

    @Test func `a key of the longest name gives it up in the trash, and is found under the next`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let name = String(repeating: "k", count: KeyName.longest)
        let made = try await vault(Operations.generateSSHKey, name, .ed25519, [], KeyUse())
        _ = try await vault(Operations.removeSSHKey, name)
        _ = try await vault(Operations.generateSSHKey, name, .ed25519, [], KeyUse())
        let old = try #require(try await vault(Operations.sshKeys, .trash).first)
        #expect(KeyName.isValid(old.name) && old.fingerprint == made.fingerprint)
        #expect(try await vault(Operations.restoreSSHKey, old.name).isInUse)
    }

    @Test func `a profile of the longest name gives it up in the trash, and is found under the next`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let name = String(repeating: "h", count: HostRecord.longestName)
        let fields = HostProfile.Fields(label: "", host: "a", user: "me", authentication: "password")
        let made = try await vault.addSSHHost(NewHost(name: name, fields: fields))
        _ = try await vault(Operations.removeSSHHost, name)
        _ = try await vault.addSSHHost(NewHost(name: name, fields: fields))
        let old = try #require(try await vault(Operations.sshHosts, .trash).first)
        #expect(try HostRecord.name(old.name) == old.name && old.profile.id == made.profile.id)
    }

    @Test func `what comes under the name that the trash has given its record meanwhile takes that, too`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock()).vault
        func note(_ text: String) throws -> Credential {
            try Credential(.note, [try CredentialField("text", text: text)], at: 1)
        }
        var old = CredentialBatch()
        try old.append(try note("old"), named: "a")
        _ = try await vault.importCredentials(old)
        _ = try await vault(Operations.removeCredential, "a", .any)
        var batch = CredentialBatch()
        for name in ["a", "a-2"] { try batch.append(try note(name), named: name) }
        let outcomes = try await vault.importCredentials(batch)
        #expect(outcomes.map(\.act) == [.added, .added] && outcomes.map(\.name) == ["a", "a-2"])
        #expect(try await vault.credentials().map(\.name) == ["a", "a-2"])
        var query = CredentialQuery()
        query.inTrash = true
        let left = try await vault.credentials(query).map(\.name)
        #expect(left == ["a-2-2"])
        #expect(try await vault(Operations.restoreCredential, "a-2-2").removedAt == nil)
    }

    @Test func `a profile that comes twice in one export comes once`() async throws {
        let vault = try await Person("Alice", clock: TestClock()).vault
        let fields = HostProfile.Fields(label: "", host: "a", user: "me", authentication: "password")
        var bundle = VaultBundle()
        let id = HostID(.seeded([1]))
        bundle.hosts = ["a", "b"].map { NewHost(name: $0, fields: fields, id: id) }
        #expect(try await vault.takeBundle(bundle).hosts.map(\.act) == [.added, .known])
        #expect(try await vault(Operations.sshHosts, .kept).map(\.name) == ["a"])
    }
}
