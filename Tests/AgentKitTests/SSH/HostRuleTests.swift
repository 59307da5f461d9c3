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

    private func host(_ house: SSHHouse, _ principals: String = "prod.t,alias.t") async throws -> Host {
        let made = await house.run(
            """
            set -e
            for name in host ca; do ssh-keygen -q -t ed25519 -N '' -f $name; done
            ssh-keygen -q -s ca -I id -h -n '\(principals)' host.pub
            """
        )
        try #require(made.status == 0, "\(made.text)")
        func read(_ name: String) async throws -> PublicKey {
            try PublicKey(line: Array(await house.run("cat \(name)").text.utf8.dropLast()))
        }
        return Host(
            key: try await read("host.pub"),
            authority: try await read("ca.pub"),
            certificate: try await read("host-cert.pub")
        )
    }

    private func facts(_ key: PublicKey, _ house: SSHHouse) throws -> HostFacts {
        let view = try house.vault.sshViewAtOnce()
        return HostBook(view).facts(of: key, in: house.vault, at: UInt64(time(nil)))
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
        let house = try SSHHouse()
        let host = try await host(house)
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
        _ = try await house.vault.importKnownHosts(KnownHostsFile(line.line + [0x0A]))
        let offered = isCertificate ? host.certificate : host.key
        try await house.vault.addRule(deny("prod.t"))
        #expect(verdict(try facts(offered, house), [deny("prod.t")]) == .deny(.rule("no")))
        // Another host is none of its business.
        _ = try await house.vault.removeRule("no")
        try await house.vault.addRule(deny("other.t"))
        let other = verdict(try facts(offered, house), [deny("other.t")])
        if !(names == "*.t" && marker == nil) { #expect(other != .deny(.rule("no"))) }
    }

    @Test func `a certificate's names are known, and so they are refused`() async throws {
        let house = try SSHHouse()
        let host = try await host(house)
        let line = KnownHost(
            names: try HostPattern(Array("*.t".utf8)),
            key: host.authority,
            marker: .authority
        )
        _ = try await house.vault.importKnownHosts(KnownHostsFile(line.line + [0x0A]))
        let found = try facts(host.certificate, house)
        #expect(found.standing == .known)
        #expect(Set(found.names) == ["prod.t", "alias.t"])
        #expect(verdict(found, [deny("alias.t")]) == .deny(.rule("no")))
        // By the fingerprint of the key itself, with or without a certificate around it.
        #expect(verdict(found, [deny("\(host.key.fingerprint)")]) == .deny(.rule("no")))
        // Where the authority is not known, the certificate names no host.
        let stranger = try SSHHouse()
        #expect(try facts(host.certificate, stranger).standing == .unknown)
    }

    @Test func `a rule names a host by its profile`() async throws {
        let house = try SSHHouse()
        let host = try await host(house)
        _ = try await house.vault.trustHostKey(
            host.key,
            for: try HostName(host: "10.0.0.1"),
            source: .compared
        )
        let fields = HostProfile.Fields(label: "", host: "10.0.0.1", user: "me", authentication: "password")
        _ = try await house.vault.addSSHHost(NewHost(name: "prod", fields: fields))
        #expect(verdict(try facts(host.key, house), [deny("prod")]) == .deny(.rule("no")))
    }

    @Test func `a key that was made for a bind is that of an unknown host, so the login is asked about`()
        async throws
    {
        let house = try SSHHouse()
        let host = try await host(house)
        let found = try facts(host.key, house)
        #expect(found.standing == .unknown)
        #expect(verdict(found, []) == .ask(.row(.unknownHost), mayRemember: true))
        _ = try await house.vault.trustHostKey(host.key, for: try HostName(host: "h"), source: .compared)
        #expect(verdict(try facts(host.key, house), []) == .allow(.row(.directLogin)))
    }

    private func know(_ names: HostPattern, _ key: PublicKey, _ house: SSHHouse) async throws {
        let line = KnownHost(names: names, key: key).line + [0x0A]
        _ = try await house.vault.importKnownHosts(KnownHostsFile(line))
    }

    @Test(arguments: [
        (hashed, false), ("[*.t]:2222", true), ("[pro?.t]:2222,!x.t", true), ("[prod.t]:*", false),
        ("[*]:22?2", false), ("*:2222", false),
    ])
    func `a rule about a host holds on every port, also where its key is known by a hash or a pattern`(
        names: String,
        isFound: Bool
    ) async throws {
        let house = try SSHHouse()
        let key = try await host(house).key
        let name = try HostName(host: "prod.t", port: 2222)
        let pattern =
            names == Self.hashed
            ? try HostPattern(hashing: name, salt: [UInt8](repeating: 7, count: 20))
            : try HostPattern(Array(names.utf8))
        try await know(pattern, key, house)
        // ssh has been there, so it would be a known host.
        _ = try await house.vault.checkHostKey(key, for: name, noting: true)
        try await house.vault.addRule(deny("prod.t"))
        let expected: Verdict =
            isFound ? .deny(.rule("no")) : .ask(.row(.unknownHost), mayRemember: true)
        #expect(verdict(try facts(key, house), [deny("prod.t")]) == expected)
        // A rule that has ended asks nobody.
        _ = try await house.vault.removeRule("no")
        var old = deny("prod.t")
        old.expires = 1
        try await house.vault.addRule(old)
        #expect(verdict(try facts(key, house), []) == .allow(.row(.directLogin)))
    }

    @Test func `a pattern that cannot mean the host of a rule leaves its hosts known`() async throws {
        let house = try SSHHouse()
        let key = try await host(house).key
        try await know(try HostPattern(Array("*.other".utf8)), key, house)
        _ = try await house.vault.checkHostKey(key, for: try HostName(host: "a.other"), noting: true)
        try await house.vault.addRule(deny("prod.t"))
        #expect(verdict(try facts(key, house), [deny("prod.t")]) == .allow(.row(.directLogin)))
    }

    @Test func `another name behind a hash, beside one that is known, may be that of a rule`() async throws {
        let house = try SSHHouse()
        let key = try await host(house).key
        try await know(HostPattern(try HostName(host: "good.t")), key, house)
        let name = try HostName(host: "prod.t", port: 2222)
        try await know(try HostPattern(hashing: name, salt: [UInt8](repeating: 7, count: 20)), key, house)
        #expect(verdict(try facts(key, house), []) == .allow(.row(.directLogin)))
        try await house.vault.addRule(deny("prod.t"))
        let found = try facts(key, house)
        #expect(verdict(found, [deny("prod.t")]) == .ask(.row(.unknownHost), mayRemember: true))
        // What is known of it is known: a key for this host alone still goes there.
        #expect(found.names == ["good.t"])
    }

    @Test(arguments: [true, false])
    func `a rule by a profile that cannot be read asks about every host`(isNamed: Bool) async throws {
        let house = try SSHHouse()
        let key = try await host(house).key
        let name = try HostName(host: "10.0.0.1")
        _ = try await house.vault.trustHostKey(key, for: name, source: .compared)
        let fields = HostProfile.Fields(label: "", host: "10.0.0.1", user: "me", authentication: "password")
        _ = try await house.vault.addSSHHost(NewHost(name: "prod", fields: fields))
        let id = try RecordID("ssh.host", "prod")
        let damaged = DamagedStore(house.store, id, part: isNamed ? .body : .meta)
        func look(_ rules: [Rule]) throws -> Verdict {
            let vault = Vault(store: damaged)
            let book = HostBook(try vault.sshViewAtOnce())
            return verdict(book.facts(of: key, in: vault, at: UInt64(time(nil))), rules)
        }
        // Where no rule goes by a name, nothing is asked about that was not before.
        #expect(try look([]) == .allow(.row(.directLogin)))
        try await house.vault.addRule(deny("prod"))
        #expect(try look([deny("prod")]) == .ask(.row(.unknownHost), mayRemember: true))
    }

    @Test func `a name behind a hash is known once ssh has seen the host under it`() async throws {
        let house = try SSHHouse()
        let host = try await host(house)
        let name = try HostName(host: "prod.t")
        let pattern = try HostPattern(hashing: name, salt: [UInt8](repeating: 7, count: 20))
        let line = KnownHost(names: pattern, key: host.key).line + [0x0A]
        _ = try await house.vault.importKnownHosts(KnownHostsFile(line))
        #expect(try facts(host.key, house).standing == .unknown)
        _ = try await house.vault.checkHostKey(host.key, for: name, noting: true)
        #expect(try facts(host.key, house).standing == .known)
    }
}
