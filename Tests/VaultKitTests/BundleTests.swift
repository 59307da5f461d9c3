import SSHFormats
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// An export of a vault on its way into another one, on every store.
struct BundleTests {
    private func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    /// A login, a key, and a host that is reached with it.
    private func bundle(_ seed: UInt8 = 1) throws -> VaultBundle {
        var bundle = VaultBundle()
        let field = try CredentialField("password", try secret("p"))
        try bundle.secrets.append(try Credential(.login, [field], at: 1_700_000_000), named: "mail")
        let key = try PrivateKey.ed25519(comment: [], entropy: .seeded([seed]))
        try bundle.addKey(try KeyRecord(key, origin: .generated).content(), named: "work")
        let fields = HostProfile.Fields(
            label: "db1",
            host: "db1.example.org",
            user: "deploy",
            authentication: "key",
            keyReference: "work"
        )
        bundle.hosts = [NewHost(name: "db1", fields: fields, id: HostID(.seeded([seed])))]
        let line = String(decoding: key.publicKey.line, as: UTF8.self)
        bundle.knownHosts = Array("known.example.org \(line)\n".utf8)
        return bundle
    }

    @Test(arguments: Backend.allCases)
    func `all of it comes in one commit, and a second time nothing`(backend: Backend) async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        let trial = try await vault.takeBundle(try bundle(), isTrial: true)
        #expect(try await vault.credentials().isEmpty)
        #expect(try await vault(Operations.sshKeys, .kept).isEmpty)
        let first = try await vault.takeBundle(try bundle())
        #expect(first == trial)
        #expect(first.secrets.map(\.act) == [.added])
        #expect((first.keys + first.hosts).map(\.act) == [.added, .added])
        #expect(first.knownHosts == 1)
        #expect(try await vault(Operations.sshHost, "db1").profile.keyReference == "work")
        let second = try await vault.takeBundle(try bundle())
        #expect(second.secrets.map(\.act) == [.known])
        #expect((second.keys + second.hosts).map(\.act) == [.known, .known])
        #expect(second.knownHosts == 0)
    }

    @Test(arguments: Backend.allCases)
    func `what lies in the trash comes out of it with an export that holds it, and stays`(backend: Backend)
        async throws
    {
        let clock = TestClock()
        let vault = try await Person("Alice", clock: clock, backend: backend).vault
        _ = try await vault.takeBundle(try bundle())
        _ = try await vault(Operations.removeCredential, "mail", .any)
        _ = try await vault(Operations.removeSSHHost, "db1")
        _ = try await vault(Operations.removeSSHKey, "work")
        try await vault.live(31 * 86_400, by: clock)
        let trial = try await vault.takeBundle(try bundle(), isTrial: true)
        let outcome = try await vault.takeBundle(try bundle())
        #expect(outcome == trial)
        #expect(outcome.secrets.map(\.act) == [.restored])
        #expect((outcome.keys + outcome.hosts).map(\.act) == [.restored, .restored])
        try await vault.live(31 * 86_400, by: clock)
        _ = try await vault.takeBundle(try bundle(2), rules(.rename))
        #expect(try await vault(Operations.sshKeys, .kept).map(\.name) == ["work", "work-2"])
        #expect(try await vault(Operations.sshHosts, .kept).map(\.name) == ["db1", "db1-2"])
        #expect(try await vault(Operations.sshHost, "db1").profile.keyReference == "work")
        #expect(try await vault.credentials().map(\.name) == ["mail"])
    }

    @Test
    func `a profile in the trash whose name another one has by now is left out, or comes under another name`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock(), backend: .memory).vault
        _ = try await vault.takeBundle(try bundle())
        _ = try await vault(Operations.removeSSHHost, "db1")
        var fields = try bundle().hosts[0].fields
        fields.host = "other.example.org"
        _ = try await vault(Operations.addSSHHosts, [NewHost(name: "db1", fields: fields)])
        #expect(try await vault.takeBundle(try bundle()).hosts.map(\.act) == [.nameTaken])
        #expect(try await vault.takeBundle(try bundle(), rules(.rename)).hosts.map(\.act) == [.renamed])
        #expect(try await vault(Operations.sshHosts, .kept).map(\.name) == ["db1", "db1-3"])
        #expect(try await vault(Operations.sshHosts, .trash).isEmpty)
    }

    @Test func `a host follows its key to another name, and comes without one that stayed behind`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock(), backend: .memory).vault
        _ = try await vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        let outcome = try await vault.takeBundle(try bundle())
        #expect(outcome.keys.map(\.name) == ["work-2"])
        #expect(try await vault(Operations.sshHost, "db1").profile.keyReference == "work-2")
        var alone = VaultBundle()
        alone.hosts = try bundle(2).hosts
        alone.hosts[0].name = "db2"
        _ = try await vault.takeBundle(alone)
        #expect(try await vault(Operations.sshHost, "db2").profile.keyReference == nil)
    }

    private func rules(_ taken: CredentialImportRules.ExistingName) -> CredentialImportRules {
        var rules = CredentialImportRules()
        (rules.taken, rules.takenKeys, rules.takenHosts) = (taken, taken, taken)
        return rules
    }

    /// A vault with a key and a host of the same names as in the bundle, which are others.
    private func occupied(_ backend: Backend = .carried) async throws -> any VaultService {
        let vault = try await Person("Alice", clock: TestClock(), backend: backend).vault
        _ = try await vault(Operations.generateSSHKey, "work", .ed25519, [], KeyUse())
        let fields = HostProfile.Fields(
            label: "mine",
            host: "other.example.org",
            user: "me",
            authentication: "password"
        )
        _ = try await vault(Operations.addSSHHosts, [NewHost(name: "db1", fields: fields)])
        return vault
    }

    @Test func `a key and a host whose names are taken stay behind where that is wanted`() async throws {
        let vault = try await occupied()
        let before = try await vault(Operations.sshKeys, .kept)
        let outcome = try await vault.takeBundle(try bundle(), rules(.leave))
        #expect((outcome.keys + outcome.hosts).map(\.act) == [.nameTaken, .nameTaken])
        #expect(try await vault(Operations.sshKeys, .kept) == before)
        #expect(try await vault(Operations.sshHost, "db1").profile.fields.host == "other.example.org")
        var other = try bundle()
        other.hosts[0].name = "db2"
        _ = try await vault.takeBundle(other, rules(.leave))
        #expect(try await vault(Operations.sshHost, "db2").profile.keyReference == nil)
    }

    @Test func `both get other names where that is wanted, and the host follows its key`() async throws {
        let vault = try await occupied()
        let outcome = try await vault.takeBundle(try bundle(), rules(.rename))
        #expect((outcome.keys + outcome.hosts).map(\.name) == ["work-2", "db1-2"])
        #expect(try await vault(Operations.sshHost, "db1-2").profile.keyReference == "work-2")
    }

    @Test(arguments: Backend.allCases)
    func `an update takes the names, retires the key and keeps the profile's identity`(backend: Backend)
        async throws
    {
        let vault = try await occupied(backend)
        let (old, host) = (try await vault.sshKey("work").record, try await vault(Operations.sshHost, "db1"))
        let outcome = try await vault.takeBundle(try bundle(), rules(.addVersion))
        #expect((outcome.keys + outcome.hosts).map(\.act) == [.updated, .updated])
        #expect(outcome.keys.map(\.name) == ["work"])
        let (fresh, retired) = (
            try await vault.sshKey("work").record, try await vault.sshKey("work-retired").record
        )
        #expect(!fresh.publicKey.isSameKey(as: old.publicKey) && fresh.state == .active)
        #expect(retired.publicKey.isSameKey(as: old.publicKey) && retired.state == .retired)
        #expect(retired.related == fresh.publicKey.fingerprint.digest)
        let changed = try await vault(Operations.sshHost, "db1")
        #expect(changed.profile.id == host.profile.id && changed.profile.fields.host == "db1.example.org")
        #expect(changed.profile.keyReference == "work")
        let again = try await vault.takeBundle(try bundle(), rules(.addVersion))
        #expect((again.keys + again.hosts).map(\.act) == [.known, .known])
    }

    @Test(arguments: [false, true])
    func `a key that is retired by an import and comes with it is known under its new name`(isFirst: Bool)
        async throws
    {
        let vault = try await occupied()
        let old = try await vault.sshKey("work").record
        var both = VaultBundle()
        let key = try PrivateKey.ed25519(comment: [], entropy: .seeded([1]))
        if isFirst { try both.addKey(try old.content(), named: "work-old") }
        try both.addKey(try KeyRecord(key, origin: .generated).content(), named: "work")
        if !isFirst { try both.addKey(try old.content(), named: "work-old") }
        _ = try await vault.takeBundle(both, rules(.addVersion))
        #expect(try await vault(Operations.sshKeys, .kept).map(\.name) == ["work", "work-retired"])
        #expect(try await vault.sshKey("work").record.publicKey.isSameKey(as: key.publicKey))
        #expect(try await vault.sshKey("work-retired").record.publicKey.isSameKey(as: old.publicKey))
    }

    @Test func `one part that is refused leaves nothing of the others`() async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: .memory).vault
        var broken = try bundle()
        try broken.addKey(try secret("no key at all"), named: "broken")
        await #expect(throws: VaultError.self) { try await vault.takeBundle(broken) }
        #expect(try await vault.credentials().isEmpty)
        #expect(try await vault(Operations.sshKeys, .kept).isEmpty)
        #expect(try await vault(Operations.sshHosts, .kept).isEmpty)
    }
}
