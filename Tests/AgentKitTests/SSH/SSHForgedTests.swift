import SSHFormats
import Setup
import Support
import Testing
import Text
import VaultCrypto

@testable import AgentKit
@testable import VaultKit

/// Certificates that no CA has signed, in a vault of before imports looked at that.
@Suite struct SSHForgedTests {
    /// A fixture with a key `bad` that has such a certificate and a good one, and a key `other`.
    private func fixture() async throws -> SSHFixture {
        let fixture = try SSHFixture()
        try await fixture.makeKey("other")
        let (ca, key) = (try PrivateKey.ed25519(entropy: .system), try PrivateKey.ed25519(entropy: .system))
        var record = KeyRecord(key, origin: .openSSH)
        for name in ["root", "deploy"] {
            try record.add(try SSHCertificates.make(of: key.publicKey, by: ca, principals: [name]))
        }
        var content = try record.content().withBytes { $0.copied() }
        let tail = Array(record.certificates[1].blob.suffix(16))
        let place = try #require(content.indices.last { content[...$0].suffix(16).elementsEqual(tail) })
        content[place] ^= 1
        try await fixture.vault.plant(try KeyRecord(content: Secret(copying: content)), named: "bad")
        return fixture
    }

    @Test func `one bad certificate hides no key and no other certificate from ssh`() async throws {
        let fixture = try await fixture()
        let outcome = await fixture.run(
            "ssh-add -l | wc -l; ssh-add -L | grep -c cert-v01; ssh-add -L | grep -c other"
        )
        #expect(outcome.text == "3\n1\n1\n", "\(outcome.text)")
    }

    @Test func `doctor names the key, and removes the certificate`() async throws {
        let fixture = try await fixture()
        let service = fixture.vault.ownService
        let display = Display(isUTF8: false)
        let found = await SSHChecks.unsigned(service, display)
        #expect(
            found.map(\.message) == ["the key \(display.name("bad")) has certificates that no CA has signed"]
        )
        try await found.first?.fix?.act()
        #expect(await SSHChecks.unsigned(service, display).isEmpty)
        let half = try await fixture.vault.sshPublicHalf("bad")
        #expect(half.certificates.count == 1)
        _ = try Certificate(signed: try #require(half.certificates.first))
    }
}

extension Vault {
    /// Puts a record into the vault as it is.
    func plant(_ record: KeyRecord, named name: String) throws(VaultError) {
        try transact(KeyTransaction.self) { try $0.add(record, named: name) }
    }
}
