import Credentials
import SSHFormats
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
        #expect(try await vault.sshKeys().isEmpty)
        let first = try await vault.takeBundle(try bundle())
        #expect(first == trial)
        #expect(first.secrets.map(\.act) == [.added])
        #expect((first.keys + first.hosts).map(\.act) == [.added, .added])
        #expect(first.knownHosts == 1)
        #expect(try await vault.sshHost("db1").profile.keyReference == "work")
        let second = try await vault.takeBundle(try bundle())
        #expect(second.secrets.map(\.act) == [.known])
        #expect((second.keys + second.hosts).map(\.act) == [.known, .known])
        #expect(second.knownHosts == 0)
    }

    @Test func `a host follows its key to another name, and comes without one that stayed behind`()
        async throws
    {
        let vault = try await Person("Alice", clock: TestClock(), backend: .memory).vault
        _ = try await vault.generateSSHKey(.ed25519, named: "work", comment: [])
        let outcome = try await vault.takeBundle(try bundle())
        #expect(outcome.keys.map(\.name) == ["work-2"])
        #expect(try await vault.sshHost("db1").profile.keyReference == "work-2")
        var alone = VaultBundle()
        alone.hosts = try bundle(2).hosts
        alone.hosts[0].name = "db2"
        _ = try await vault.takeBundle(alone)
        #expect(try await vault.sshHost("db2").profile.keyReference == nil)
    }

    @Test func `one part that is refused leaves nothing of the others`() async throws {
        let vault = try await Person("Alice", clock: TestClock(), backend: .memory).vault
        var broken = try bundle()
        try broken.addKey(try secret("no key at all"), named: "broken")
        await #expect(throws: VaultError.self) { try await vault.takeBundle(broken) }
        #expect(try await vault.credentials().isEmpty)
        #expect(try await vault.sshKeys().isEmpty)
        #expect(try await vault.sshHosts().isEmpty)
    }
}
