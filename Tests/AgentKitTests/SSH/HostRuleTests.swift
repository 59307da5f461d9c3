import Glibc
import RecordStore
import SSHFormats
import Support
import Testing
import VaultKit
import VaultPolicy

@testable import AgentKit

/// Rules about hosts: a connection brings a key, and the rule has a name.
@Suite struct HostRuleTests {
    /// A host with a key, and the certificate of an authority for it.
    private struct Host {
        let key: PublicKey
        let authority: PublicKey
        let certificate: PublicKey
    }

    private func host(_ fixture: SSHFixture, _ principals: String = "prod.t,alias.t") async throws -> Host {
        let made = await fixture.run(
            """
            set -e
            for name in host ca; do ssh-keygen -q -t ed25519 -N '' -f $name; done
            ssh-keygen -q -s ca -I id -h -n '\(principals)' host.pub
            """
        )
        try #require(made.status == 0, "\(made.text)")
        func read(_ name: String) async throws -> PublicKey {
            try PublicKey(line: Array(await fixture.run("cat \(name)").text.utf8.dropLast()))
        }
        return Host(
            key: try await read("host.pub"),
            authority: try await read("ca.pub"),
            certificate: try await read("host-cert.pub")
        )
    }

    private func facts(_ key: PublicKey, _ fixture: SSHFixture) throws -> HostFacts {
        let view = try fixture.vault.sshViewAtOnce()
        return HostBook(view).facts(of: key, in: fixture.vault, at: UInt64(time(nil)))
    }

    private func verdict(_ host: HostFacts, _ rules: [Rule]) -> Verdict {
        let key = KeyFacts(name: "k", fingerprint: "SHA256:k", needsConfirmation: false, namespaces: nil)
        return Policy(owner: 1, rules: rules).verdict(
            on: .sign(key, .login(user: "me", host: host), .direct),
            by: Requester(uid: 1, program: .other(path: "/usr/bin/ssh")),
            time: 0,
            moment: 0
        )
    }

    private func deny(_ host: String) -> Rule {
        var rule = Rule(name: "no", effect: .deny)
        rule.host = host
        return rule
    }

    private static let hashed = "hashed"

    @Test(arguments: [
        ("a.t,b.t,c.t,d.t,prod.t", nil, false), (hashed, nil, false), ("*.t", nil, false),
        ("*.t", KnownHost.Marker.authority, true), ("*", .authority, true), ("prod.t", .authority, true),
        ("a.t,b.t,c.t,d.t,[prod.t]:2222", nil, false),
    ])
    func `a rule that refuses a host holds however its key is written down`(
        names: String,
        marker: KnownHost.Marker?,
        isCertificate: Bool
    ) async throws {
        let fixture = try SSHFixture()
        let host = try await host(fixture)
        let salt = [UInt8](repeating: 7, count: 20)
        let pattern =
            names == Self.hashed
            ? try HostPattern(hashing: try HostName(host: "prod.t"), salt: salt)
            : try HostPattern(Array(names.utf8))
        let line = KnownHost(
            names: pattern,
            key: marker == nil ? host.key : host.authority,
            marker: marker
        )
        _ = try await fixture.vault.importKnownHosts(KnownHostsFile(line.line + [0x0A]))
        let offered = isCertificate ? host.certificate : host.key
        try await fixture.vault.addRule(deny("prod.t"))
        #expect(verdict(try facts(offered, fixture), [deny("prod.t")]) == .deny(.rule("no")))
        // Another host is none of its business.
        _ = try await fixture.vault.removeRule("no")
        try await fixture.vault.addRule(deny("other.t"))
        let other = verdict(try facts(offered, fixture), [deny("other.t")])
        if !(names == "*.t" && marker == nil) { #expect(other != .deny(.rule("no"))) }
    }

    @Test func `a certificate's names are known, and so they are refused`() async throws {
        let fixture = try SSHFixture()
        let host = try await host(fixture)
        let line = KnownHost(
            names: try HostPattern(Array("*.t".utf8)),
            key: host.authority,
            marker: .authority
        )
        _ = try await fixture.vault.importKnownHosts(KnownHostsFile(line.line + [0x0A]))
        let found = try facts(host.certificate, fixture)
        #expect(found.status == .known)
        #expect(Set(found.names) == ["prod.t", "alias.t"])
        #expect(verdict(found, [deny("alias.t")]) == .deny(.rule("no")))
        // By the fingerprint of the key itself, with or without a certificate around it.
        #expect(verdict(found, [deny("\(host.key.fingerprint)")]) == .deny(.rule("no")))
        // Where the authority is not known, the certificate names no host.
        let stranger = try SSHFixture()
        #expect(try facts(host.certificate, stranger).status == .unknown)
    }

    @Test func `a rule names a host by its profile`() async throws {
        let fixture = try SSHFixture()
        let host = try await host(fixture)
        _ = try await fixture.vault.trustHostKey(
            host.key,
            for: try HostName(host: "10.0.0.1"),
            source: .compared
        )
        let fields = HostProfile.Fields(label: "", host: "10.0.0.1", user: "me", authentication: "password")
        _ = try await fixture.vault.addSSHHost(NewHost(name: "prod", fields: fields))
        #expect(verdict(try facts(host.key, fixture), [deny("prod")]) == .deny(.rule("no")))
    }

    @Test func `a key that was made for a bind is that of an unknown host, so the login is asked about`()
        async throws
    {
        let fixture = try SSHFixture()
        let host = try await host(fixture)
        let found = try facts(host.key, fixture)
        #expect(found.status == .unknown)
        #expect(verdict(found, []) == .ask(.row(.unknownHost), mayRemember: true))
        _ = try await fixture.vault.trustHostKey(host.key, for: try HostName(host: "h"), source: .compared)
        #expect(verdict(try facts(host.key, fixture), []) == .allow(.row(.directLogin)))
    }

    private func know(_ names: HostPattern, _ key: PublicKey, _ fixture: SSHFixture) async throws {
        let line = KnownHost(names: names, key: key).line + [0x0A]
        _ = try await fixture.vault.importKnownHosts(KnownHostsFile(line))
    }

    @Test(arguments: [
        (hashed, false), ("[*.t]:2222", true), ("[pro?.t]:2222,!x.t", true), ("[prod.t]:*", false),
        ("[*]:22?2", false), ("*:2222", false),
    ])
    func `a rule about a host holds on every port, also where its key is known by a hash or a pattern`(
        names: String,
        isFound: Bool
    ) async throws {
        let fixture = try SSHFixture()
        let key = try await host(fixture).key
        let name = try HostName(host: "prod.t", port: 2222)
        let pattern =
            names == Self.hashed
            ? try HostPattern(hashing: name, salt: [UInt8](repeating: 7, count: 20))
            : try HostPattern(Array(names.utf8))
        try await know(pattern, key, fixture)
        // ssh has been there, so it would be a known host.
        _ = try await fixture.vault.checkHostKey(key, for: name, noting: true)
        try await fixture.vault.addRule(deny("prod.t"))
        let expected: Verdict =
            isFound ? .deny(.rule("no")) : .ask(.row(.unknownHost), mayRemember: true)
        #expect(verdict(try facts(key, fixture), [deny("prod.t")]) == expected)
        // A rule that has ended asks no one.
        _ = try await fixture.vault.removeRule("no")
        var old = deny("prod.t")
        old.expires = 1
        try await fixture.vault.addRule(old)
        #expect(verdict(try facts(key, fixture), []) == .allow(.row(.directLogin)))
    }

    @Test func `a pattern that cannot mean the host of a rule leaves its hosts known`() async throws {
        let fixture = try SSHFixture()
        let key = try await host(fixture).key
        try await know(try HostPattern(Array("*.other".utf8)), key, fixture)
        _ = try await fixture.vault.checkHostKey(key, for: try HostName(host: "a.other"), noting: true)
        try await fixture.vault.addRule(deny("prod.t"))
        #expect(verdict(try facts(key, fixture), [deny("prod.t")]) == .allow(.row(.directLogin)))
    }

    @Test func `another name behind a hash, beside one that is known, may be that of a rule`() async throws {
        let fixture = try SSHFixture()
        let key = try await host(fixture).key
        try await know(HostPattern(try HostName(host: "good.t")), key, fixture)
        let name = try HostName(host: "prod.t", port: 2222)
        try await know(try HostPattern(hashing: name, salt: [UInt8](repeating: 7, count: 20)), key, fixture)
        #expect(verdict(try facts(key, fixture), []) == .allow(.row(.directLogin)))
        try await fixture.vault.addRule(deny("prod.t"))
        let found = try facts(key, fixture)
        #expect(verdict(found, [deny("prod.t")]) == .ask(.row(.unknownHost), mayRemember: true))
        // What is known of it is known: a key for this host alone still goes there.
        #expect(found.names == ["good.t"])
    }

    @Test(arguments: [true, false])
    func `a rule by a profile that cannot be read asks about every host`(isNamed: Bool) async throws {
        let fixture = try SSHFixture()
        let key = try await host(fixture).key
        let name = try HostName(host: "10.0.0.1")
        _ = try await fixture.vault.trustHostKey(key, for: name, source: .compared)
        let fields = HostProfile.Fields(label: "", host: "10.0.0.1", user: "me", authentication: "password")
        _ = try await fixture.vault.addSSHHost(NewHost(name: "prod", fields: fields))
        let id = try RecordID("ssh.host", "prod")
        let damaged = DamagedStore(fixture.store, id, part: isNamed ? .body : .meta)
        func look(_ rules: [Rule]) throws -> Verdict {
            let vault = Vault(store: damaged)
            let book = HostBook(try vault.sshViewAtOnce())
            return verdict(book.facts(of: key, in: vault, at: UInt64(time(nil))), rules)
        }
        // Where no rule goes by a name, nothing is asked about that was not before.
        #expect(try look([]) == .allow(.row(.directLogin)))
        try await fixture.vault.addRule(deny("prod"))
        #expect(try look([deny("prod")]) == .ask(.row(.unknownHost), mayRemember: true))
    }

    @Test func `a name behind a hash is known once ssh has seen the host under it`() async throws {
        let fixture = try SSHFixture()
        let host = try await host(fixture)
        let name = try HostName(host: "prod.t")
        let pattern = try HostPattern(hashing: name, salt: [UInt8](repeating: 7, count: 20))
        let line = KnownHost(names: pattern, key: host.key).line + [0x0A]
        _ = try await fixture.vault.importKnownHosts(KnownHostsFile(line))
        #expect(try facts(host.key, fixture).status == .unknown)
        _ = try await fixture.vault.checkHostKey(host.key, for: name, noting: true)
        #expect(try facts(host.key, fixture).status == .known)
    }
}
