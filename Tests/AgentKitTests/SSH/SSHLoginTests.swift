import Glibc
import SSHFormats
import Testing
import VaultKit
import VaultPolicy

@testable import AgentKit

/// ssh logs in to real daemons with the keys of the agent.
@Suite struct SSHLoginTests {
    /// Makes hosts `h1`, `h2`, … that give one try each, and a script `go HOST [OPTION…]` that logs in to one.
    private static func hosts(_ count: Int) -> String {
        """
        set -e
        SSHD='/usr/sbin/sshd -i -e'
        daemon() {
          if [ "$(id -u)" = 0 ] && [ ! -d /run/sshd ]; then
            echo "exec unshare -m sh -c 'mount -t tmpfs tmpfs /run; mkdir -m 755 /run/sshd; exec $SSHD -f $1'"
          else
            echo "exec $SSHD -f $1"
          fi
        }
        for n in $(seq \(count)); do
          ssh-keygen -q -t ed25519 -N '' -f host$n
          printf '%s\\n' "HostKey $PWD/host$n" 'PidFile none' 'UsePAM no' 'StrictModes no' 'MaxAuthTries 1' \
            "AuthorizedKeysFile $PWD/authorized$n" 'PasswordAuthentication no' 'PermitRootLogin yes' \
            'KbdInteractiveAuthentication no' "SetEnv HOME=$PWD" > config$n
          : > authorized$n
          { echo '#!/bin/sh'; daemon "$PWD/config$n" ; } > serve$n
          chmod 700 serve$n
          echo "h$n $(cut -d' ' -f1,2 host$n.pub)" >> known
        done
        cat > go <<END
        #!/bin/sh
        host=\\$1
        shift
        exec ssh -F none -o IdentityFile=none -o BatchMode=yes -o UserKnownHostsFile=$PWD/known \
          -o GlobalKnownHostsFile=none -o HostKeyAlias=h\\$host -o "ProxyCommand=$PWD/serve\\$host 2>>$PWD/log" \
          "\\$@" $(id -un)@h\\$host "\\${INNER:-echo in}"
        END
        chmod 700 go
        """
    }

    private func trust(_ fixture: SSHFixture, _ number: Int) async throws -> PublicKey {
        let line = await fixture.run("cat host\(number).pub").text
        let key = try PublicKey(line: Array(line.utf8.dropLast()))
        _ = try await fixture.vault.trustHostKey(
            key,
            for: try HostName(alias: "h\(number)"),
            source: .compared
        )
        return key
    }

    @Test func `each of several hosts that give one try gets the key that is meant for it`() async throws {
        let fixture = try SSHFixture()
        #expect(await fixture.run(Self.hosts(3)).status == 0)
        for number in 1...10 { try await fixture.makeKey("k\(number)") }
        for number in 1...3 {
            _ = try await trust(fixture, number)
            let key = "k\(11 - number)"
            var fields = HostProfile.Fields(
                label: "",
                host: "10.0.0.\(number)",
                user: "me",
                authentication: "key"
            )
            fields.keyReference = key
            fields.hostKeyAlias = "h\(number)"
            _ = try await fixture.vault.addSSHHost(NewHost(name: "h\(number)", fields: fields))
            #expect(await fixture.run("ssh-add -L | grep ' \(key)$' > authorized\(number)").status == 0)
        }
        for number in 1...3 {
            let outcome = await fixture.run("./go \(number)")
            #expect(outcome.text == "in\n" && outcome.status == 0, "\(outcome.text)")
            guard case .sign(let key, .login(let user, let host), .direct)? = fixture.gate.asked.last else {
                Issue.record("no login was asked about")
                return
            }
            #expect(key.name == "k\(11 - number)")
            #expect(host?.names == ["h\(number)"] && host?.status == .known && host?.knownSince != nil)
            #expect(!user.isEmpty)
        }
        #expect(fixture.gate.asked.count == 3)
    }

    @Test(arguments: [
        SSHFormats.KeyKind.ed25519, .ecdsa(.p256), .ecdsa(.p384), .ecdsa(.p521), .rsa(bits: 3072),
    ])
    func `a key of each type logs in`(kind: SSHFormats.KeyKind) async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("k", kind)
        #expect(await fixture.run(Self.hosts(1) + "\nssh-add -L > authorized1").status == 0)
        let outcome = await fixture.run("./go 1")
        #expect(outcome.text == "in\n", "\(outcome.text)")
        guard case .sign(_, .login(_, let host), .direct)? = fixture.gate.asked.last else {
            Issue.record("no login was asked about")
            return
        }
        #expect(host?.status == .unknown)
    }

    @Test func `a host whose key was revoked sees no key, and gets no signature`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("k")
        #expect(await fixture.run(Self.hosts(1) + "\nssh-add -L > authorized1").status == 0)
        let key = try await trust(fixture, 1)
        #expect(await fixture.run("./go 1").text == "in\n")
        _ = try await fixture.vault.revokeHostKey(key, for: nil)
        #expect(await fixture.run("./go 1").status == 255)
        #expect(fixture.gate.asked.count == 1)
        #expect(fixture.gate.refusedHosts.map(\.status) == [.revoked])
    }

    @Test func `a host that shows a key which was replaced sees no key`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("k")
        #expect(await fixture.run(Self.hosts(2) + "\nssh-add -L > authorized1").status == 0)
        let old = try await trust(fixture, 1)
        let new = try PublicKey(line: Array(await fixture.run("cat host2.pub").text.utf8.dropLast()))
        _ = try await fixture.vault.replaceHostKey(
            for: try HostName(alias: "h1"),
            by: new,
            expecting: new.fingerprint,
            replacing: old.fingerprint
        )
        #expect(await fixture.run("./go 1").status == 255)
        #expect(fixture.gate.refusedHosts.map(\.status) == [.changed])
    }

    @Test func `a key for one host is neither shown to another one nor used there`() async throws {
        let fixture = try SSHFixture()
        var use = KeyUse()
        use.hosts = ["h1"]
        try await fixture.makeKey("k", use: use)
        let made = await fixture.run(Self.hosts(2) + "\nssh-add -L | tee authorized1 > authorized2")
        #expect(made.status == 0)
        _ = try await trust(fixture, 1)
        _ = try await trust(fixture, 2)
        #expect(await fixture.run("./go 1").text == "in\n")
        #expect(await fixture.run("./go 2").status == 255)
        #expect(fixture.gate.asked.count == 1)
        // Nor for anything else.
        #expect(await fixture.run("ssh-add -T authorized1").status != 0)
    }

    @Test func `a key with destinations of ssh-add leads there and nowhere else`() async throws {
        let fixture = try SSHFixture()
        let outcome = await fixture.run(
            Self.hosts(2) + """

                ssh-keygen -q -t ed25519 -N '' -f id
                cat id.pub | tee authorized1 > authorized2
                ssh-add -q -H known -h h1 id
                ssh-add -l
                test "$(./go 1)" = in
                ! ./go 2
                ! ssh-add -T id.pub
                ! echo text | ssh-keygen -q -Y sign -n file -f id.pub
                """
        )
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    @Test func `what comes from a machine with a forwarded agent is known as forwarded`() async throws {
        let fixture = try SSHFixture()
        try await fixture.makeKey("k")
        #expect(await fixture.run(Self.hosts(2) + "\nssh-add -L | tee authorized1 > authorized2").status == 0)
        _ = try await trust(fixture, 1)
        let outcome = await fixture.run("INNER=\"$PWD/go 2\" ./go 1 -A")
        #expect(outcome.text.contains("in"), "\(outcome.text)")
        guard case .sign(_, .login(_, _), .relayed(let through))? = fixture.gate.asked.last else {
            Issue.record("\(fixture.gate.asked)")
            return
        }
        #expect(through.names == ["h1"] && through.status == .known)
        #expect(fixture.gate.asked.count == 2)
    }
}
