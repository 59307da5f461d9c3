import SSHFormats
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

@testable import AgentKit

/// A key that `ssh-add` adds and the vault has, too: what either of them forbids, stays forbidden.
@Suite struct SSHAddedTwiceTests {
    /// A fixture whose vault has the key of the file `id`, under these conditions.
    private func fixture(_ use: KeyUse) async throws -> SSHFixture {
        let fixture = try SSHFixture()
        let made = await fixture.run("ssh-keygen -q -t ed25519 -N '' -C mine -f id && cat id")
        #expect(made.status == 0)
        let key = try OpenSSHKeyFile(text: secret(made.text)).open(passphrase: nil)
        var record = KeyRecord(key, origin: .openSSH)
        record.use = use
        _ = try await fixture.vault.importSSHKeys([KeyImport(record, named: "work")])
        return fixture
    }

    @Test func `it is asked about as the vault wants it, by the name of the vault`() async throws {
        var use = KeyUse()
        use.needsConfirmation = true
        use.namespaces = ["git"]
        let fixture = try await fixture(use)
        #expect(await fixture.run("ssh-add -q id && ssh-add -T id.pub").status == 0)
        guard case .sign(let key, _, _)? = fixture.gate.asked.first else {
            Issue.record("nothing was asked")
            return
        }
        #expect(key.needsConfirmation && key.name == "work" && key.namespaces == ["git"])
    }

    @Test func `it is for the hosts of the vault only`() async throws {
        var use = KeyUse()
        use.hosts = ["db1.example.org"]
        let fixture = try await fixture(use)
        let outcome = await fixture.run("ssh-add -q id; ssh-add -T id.pub && exit 1; ssh-add -l | wc -l")
        #expect(outcome.status == 0 && outcome.text.hasSuffix("1\n"), "\(outcome.text)")
        #expect(fixture.gate.asked.isEmpty)
    }

    @Test(arguments: [("", true), ("-t 400000", true), ("-t 4000", false)])
    func `its time is the shorter one`(option: String, isThatOfTheVault: Bool) async throws {
        var use = KeyUse()
        use.lifetime = 40_000
        let fixture = try await fixture(use)
        #expect(await fixture.run("ssh-add -q \(option) id && ssh-add -l").status == 0)
        let now = BootTime.now()
        let end = try #require(fixture.ring.offers().first?.key.end)
        #expect(end > now && (end > now + 20_000) == isThatOfTheVault && end <= now + 40_000)
    }

    @Test(arguments: ["the vault has it", "its time is over"])
    func `it is wiped when it goes`(reason: String) async throws {
        let fixture = try await fixture(KeyUse())
        let time = reason == "its time is over" ? "-t 2" : ""
        #expect(await fixture.run("ssh-add -q \(time) id").status == 0)
        let added = try #require(fixture.ring.offers().first?.key)
        #expect(added.signer != nil)
        if time.isEmpty {
            fixture.ring.offerAgain(added.identities[0].blob)
        } else {
            while !added.isOver(at: BootTime.now()) { try await Task.sleep(for: .milliseconds(20)) }
            #expect(fixture.ring.offers().first?.key.signer == nil)
        }
        #expect(added.signer == nil)
    }

    @Test func `conditions that come after it was added hold as well`() async throws {
        let fixture = try await fixture(KeyUse())
        #expect(await fixture.run("ssh-add -q id && ssh-add -T id.pub").status == 0)
        var change = KeyChange()
        change.needsConfirmation = true
        _ = try await fixture.vault.setSSHKey("work", change)
        #expect(await fixture.run("ssh-add -T id.pub").status == 0)
        guard case .sign(let key, _, _)? = fixture.gate.asked.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(key.needsConfirmation)
    }

    @Test func `one that the vault does not have has the conditions of ssh-add alone`() async throws {
        let fixture = try await fixture(KeyUse())
        let outcome = await fixture.run(
            "ssh-keygen -q -t ed25519 -N '' -C b -f b && ssh-add -q b && ssh-add -T b.pub"
        )
        #expect(outcome.status == 0)
        guard case .sign(let key, _, _)? = fixture.gate.asked.first else {
            Issue.record("nothing was asked")
            return
        }
        #expect(!key.needsConfirmation && key.name == "b" && key.namespaces == nil)
    }

    @Test func `what is added and taken out is told to who writes it down`() async throws {
        let fixture = try SSHFixture()
        #expect(
            await fixture.run(
                "ssh-keygen -q -t ed25519 -N '' -C mine -f id && ssh-add -q id && ssh-add -q -d id && ssh-add -q -D"
            ).status == 0
        )
        let told = fixture.gate.changes.withLock { $0 }
        #expect(told.count == 3)
        guard case .add("mine", let added) = told[0], case .remove("mine", let removed) = told[1] else {
            Issue.record("\(told)")
            return
        }
        #expect(added == removed && told[2] == .removeAll(count: 0))
    }
}
