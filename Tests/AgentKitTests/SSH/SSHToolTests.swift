import SSHFormats
import Testing
import VaultKit
import VaultPolicy

@testable import AgentKit

/// The tools of OpenSSH over our agent.
@Suite struct SSHToolTests {
    @Test func `ssh-add shows the keys of the vault, tests them and says how many there are`() async throws {
        let fixture = try SSHFixture()
        #expect(await fixture.run("ssh-add -l").status == 1)
        try await fixture.makeKey("a", .ed25519)
        try await fixture.makeKey("b", .ecdsa(.p256))
        try await fixture.makeKey("c", .rsa(bits: 3072))
        let list = await fixture.run("ssh-add -l")
        #expect(list.status == 0)
        #expect(list.text.split(separator: "\n").count == 3)
        let keys = await fixture.run(
            "ssh-add -L > all; while read -r k; do echo \"$k\" > k.pub; ssh-add -T k.pub || exit 9; done < all"
        )
        #expect(keys.status == 0, "\(keys.text)")
        #expect(fixture.gate.asked.map(\.kind) == [.raw, .raw, .raw])
        #expect(fixture.source.uses == 3)
    }

    @Test(arguments: ["ed25519", "ecdsa -b 256", "ecdsa -b 384", "ecdsa -b 521", "rsa -b 2048"])
    func `a key that ssh-add brings can be used, and taken out again`(kind: String) async throws {
        let fixture = try SSHFixture()
        let outcome = await fixture.run(
            """
            set -e
            ssh-keygen -q -t \(kind) -N '' -C mine -f id
            ssh-keygen -q -t ed25519 -N '' -f ca
            ssh-keygen -q -s ca -I me -n me id.pub
            ssh-add -q id
            test "$(ssh-add -l | wc -l)" = 2
            ssh-add -T id.pub
            ssh-add -T id-cert.pub
            echo text | ssh-keygen -q -Y sign -n file -f id.pub > sig
            echo "me $(cat id.pub)" > allowed
            echo text | ssh-keygen -q -Y verify -n file -I me -f allowed -s sig
            ssh-add -q -d id
            ! ssh-add -l
            ! ssh-add -T id.pub
            ! ssh-add -q -d id
            """
        )
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    @Test func `ssh-add takes out all keys, also those of the vault, until it is opened again`() async throws
    {
        let fixture = try SSHFixture()
        try await fixture.makeKey("a")
        #expect(await fixture.run("ssh-add -D && ! ssh-add -l").status == 0)
        fixture.ring.lock()
        fixture.ring.open(fixture.opened)
        #expect(await fixture.run("ssh-add -l").status == 0)
    }

    @Test func `locked with a passphrase it shows nothing, signs nothing and takes nothing`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("a")
        let outcome = await fixture.run(
            """
            ask() { printf '#!/bin/sh\\necho %s\\n' "$1" > ask; chmod 700 ask; }
            export SSH_ASKPASS=$PWD/ask SSH_ASKPASS_REQUIRE=force DISPLAY=none
            ssh-add -L > k.pub
            ssh-keygen -q -t ed25519 -N '' -f id
            ask one
            ssh-add -x < /dev/null || exit 1
            ssh-add -l; test $? = 1 || exit 2
            ssh-add -T k.pub && exit 3
            ssh-add -q id && exit 4
            ssh-add -x < /dev/null && exit 5
            ask two
            ssh-add -X < /dev/null && exit 6
            ask one
            ssh-add -X < /dev/null || exit 7
            ssh-add -X < /dev/null && exit 8
            ssh-add -T k.pub || exit 9
            """
        )
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    @Test func `what ssh-add says about a key reaches those who decide`() async throws {
        let fixture = try SSHFixture()
        let outcome = await fixture.run(
            "ssh-keygen -q -t ed25519 -N '' -C mine -f id && ssh-add -q -c id && ssh-add -T id.pub"
        )
        #expect(outcome.status == 0, "\(outcome.text)")
        guard case .sign(let key, _, .unbound) = fixture.gate.asked.first else {
            Issue.record("nothing was asked")
            return
        }
        #expect(key.needsConfirmation && key.name == "mine" && key.namespaces == nil)
        fixture.gate.decide { _ in false }
        #expect(await fixture.run("ssh-add -T id.pub").status != 0)
        #expect(await fixture.run("ssh-add -q -t 4000 id && ssh-add -l").status == 0)
    }

    @Test func `where the owner wants it, ssh-add puts keys into the vault, with their conditions`()
        async throws
    {
        let fixture = try SSHFixture(storesAdded: true)
        let outcome = await fixture.run(
            """
            set -e
            ssh-keygen -q -t ed25519 -N '' -C 'my key' -f id
            ssh-keygen -q -t ed25519 -N '' -f ca
            ssh-keygen -q -s ca -I me -n me id.pub
            ssh-add -q -c id
            test "$(ssh-add -l | wc -l)" = 2
            ssh-add -T id.pub
            ssh-add -T id-cert.pub
            ssh-add -q -d id
            ! ssh-add -l
            ssh-add -q -c id
            test "$(ssh-add -l | wc -l)" = 2
            """
        )
        #expect(outcome.status == 0, "\(outcome.text)")
        let keys = try await fixture.vault.sshKeys()
        #expect(keys.map(\.name) == ["my-key"])
        #expect(keys.first?.use.needsConfirmation == true)
        #expect(keys.first?.certificates == 1)
        fixture.ring.lock()
        fixture.ring.open(fixture.opened)
        #expect(await fixture.run("ssh-add -l | wc -l").text == "2\n")
    }
}
