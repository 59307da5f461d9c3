import SSHFormats
import Support
import Testing
import VaultCrypto

struct HostCheckTests {
    private struct Difference: Error {
        let log: String
    }

    private let keys: HostKeys
    private let db1: HostName
    private let other: HostName

    init() throws {
        keys = try HostKeys.shared.get()
        db1 = try HostName(host: "db1")
        other = try HostName(host: "db1", port: 2222)
    }

    private func line(_ names: String, _ key: PublicKey, _ marker: KnownHost.Marker? = nil) throws
        -> KnownHost
    {
        KnownHost(names: try HostPattern(names.bytes), key: key, marker: marker)
    }

    private func check(_ key: PublicKey, for name: HostName, _ hosts: [KnownHost], at time: UInt64 = 0)
        -> HostCheck
    {
        HostCheck(key, for: name, among: hosts, at: time)
    }

    @Test func `nothing known is new`() throws {
        #expect(check(keys[0], for: db1, []).verdict == .new)
        let lines = [try line("db2", keys[0]), try line("db1", keys[0], .authority)]
        #expect(check(keys[0], for: db1, lines).verdict == .new)
    }

    @Test func `the known key matches, whatever the comments`() throws {
        var known = keys[0]
        known.comment = "another".bytes
        let lines = [try line("db1", keys[1]), try line("*", known)]
        #expect(check(keys[0], for: db1, lines).verdict == .match(lines[1]))
    }

    @Test func `another key is changed, of the same type or not`() throws {
        let lines = [try line("db1", keys[0]), try line("db1", keys[4])]
        for offered in [keys[1], keys[3]] {
            #expect(check(offered, for: db1, lines).verdict == .changed(trusted: lines))
        }
    }

    @Test func `a port that nothing is known of takes the trust of the bare name, not its distrust`() throws {
        let lines = [try line("db1", keys[0])]
        let found = check(keys[0], for: other, lines)
        #expect(found.verdict == .match(lines[0]))
        #expect(found.isWithoutPort)
        #expect(check(keys[1], for: other, lines).verdict == .new)
        let both = lines + [try line("[db1]:2222", keys[1])]
        #expect(check(keys[0], for: other, both).verdict == .changed(trusted: [both[1]]))
        #expect(check(keys[1], for: db1, both).verdict == .changed(trusted: lines))
        #expect(check(keys[0], for: try HostName(alias: "db1-2222"), lines).verdict == .new)
    }

    @Test func `a key revoked for the bare name is revoked for a new port, too`() throws {
        let lines = [try line("db1", keys[0], .revoked)]
        #expect(check(keys[0], for: other, lines).verdict == .revoked(lines[0]))
    }

    @Test func `a certificate counts by its authority, and else as its plain key`() throws {
        let offered = try keys.certificate("good", of: 0, by: 1, hosts: ["db1", "db1.example.org"])
        let authority = try line("db*", keys[1], .authority)
        #expect(check(offered, for: db1, [authority]).verdict == .certified(authority))
        #expect(check(offered, for: db1, [authority]).refusal == nil)

        let nobody = check(offered, for: db1, [try line("db1", keys[1])])
        #expect(nobody.verdict == .changed(trusted: [try line("db1", keys[1])]))
        #expect(nobody.refusal == .unknownAuthority)

        let plain = check(offered, for: db1, [try line("db1", keys[0])])
        #expect(plain.verdict == .match(try line("db1", keys[0])))
        #expect(plain.refusal == .unknownAuthority)

        let elsewhere = check(offered, for: try HostName(host: "db2"), [authority])
        #expect(elsewhere.verdict == .new)
        #expect(elsewhere.refusal == .objections([.otherPrincipal]))
    }

    @Test func `a revoked authority or key makes its certificates revoked`() throws {
        let offered = try keys.certificate("bad", of: 0, by: 1, hosts: ["db1"])
        let authority = try line("*", keys[1], .authority)
        for key in [0, 1] {
            let mark = try line("*", keys[key], .revoked)
            #expect(check(offered, for: db1, [authority, mark]).verdict == .revoked(mark))
        }
    }

    @Test func `a certificate counts in its time only`() throws {
        let validity = ["-V", "20260101000000Z:20260201000000Z"]
        let offered = try keys.certificate("timed", of: 0, by: 1, hosts: ["db1"], more: validity)
        let lines = [try line("*", keys[1], .authority)]
        let (first, end): (UInt64, UInt64) = (1_767_225_600, 1_769_904_000)
        #expect(check(offered, for: db1, lines, at: first).verdict.isTrusted)
        #expect(check(offered, for: db1, lines, at: end - 1).verdict.isTrusted)
        #expect(
            check(offered, for: db1, lines, at: first - 1).refusal == .objections([.notYetValid(from: first)])
        )
        #expect(check(offered, for: db1, lines, at: end).refusal == .objections([.expired(at: end)]))
        #expect(check(offered, for: db1, lines, at: end).verdict == .new)
    }

    @Test func `a certificate with an option no one knows, without names, or of a user counts for nothing`()
        throws
    {
        let always = ["-V", "always:forever"]
        let lines = [try line("*", keys[1], .authority)]
        let option = ["-O", "critical:x@example.org=1"]
        let strict = try keys.certificate("strict", of: 0, by: 1, hosts: ["db1"], more: always + option)
        #expect(check(strict, for: db1, lines).refusal == .objections([.unknownCriticalOptions(1)]))
        let nameless = try keys.certificate("nameless", of: 0, by: 1, hosts: [])
        #expect(check(nameless, for: db1, lines).refusal == .objections([.otherPrincipal]))
    }

    @Test func `the names in a certificate may be patterns, as since OpenSSH 10.3`() throws {
        let offered = try keys.certificate("pattern", of: 0, by: 1, hosts: ["db?", "*.example.org"])
        let lines = [try line("*", keys[1], .authority)]
        #expect(check(offered, for: db1, lines).verdict == .certified(lines[0]))
        #expect(
            check(offered, for: try HostName(host: "db12"), lines).refusal == .objections([.otherPrincipal])
        )
    }

    @Test func `a certificate whose bytes were changed is never certified`() throws {
        let offered = try keys.certificate("changed", of: 0, by: 1, hosts: ["db1"])
        let lines = [try line("*", keys[1], .authority)]
        for index in offered.blob.indices {
            var blob = offered.blob
            blob[index] ^= 1
            guard let damaged = try? PublicKey(blob: blob) else { continue }
            #expect(!check(damaged, for: db1, lines).verdict.isTrusted)
        }
    }

    @Test(.enabled(if: SSHServer.program != nil, SSHServer.missing))
    func `a connection of ssh goes as the verdict says`() throws {
        try forAll("verdict", seed: 4000, runs: 40) { generator in
            let entropy = Entropy.seeded(generator.bytes(32))
            let file = try GeneratedHosts(&generator, keys: keys, entropy: entropy)
            return (file, try GeneratedHosts.name(&generator), generator.number(in: 0...4))
        } shrink: { input in
            input.0.smaller.map { ($0, input.1, input.2) }
        } check: { generated, name, key in
            let found = try SSHServer().connect(
                to: name.name,
                port: Int(name.port),
                key: keys.ssh.path(keys.keys[key].file),
                known: generated.bytes
            )
            let check = KnownHostsFile(generated.bytes).check(keys[key], for: name, at: 0)
            guard found.answer == Self.answer(check) else { throw Difference(log: found.log) }
            return true
        }
    }

    @Test(
        .enabled(if: SSHServer.program != nil, SSHServer.missing),
        arguments: [
            (["h1"], "", SSHServer.Answer.certified), (["h2"], "", .new), (["h1"], "h1 PLAIN", .certified),
            (["h2"], "h1 PLAIN", .match), (["h2"], "h1 OTHER", .changed), (["h1"], "h1 OTHER", .certified),
            (["h1"], "@revoked * CA", .revoked), (["h1"], "@revoked h1 PLAIN", .revoked),
            (["h2"], "@revoked h1 PLAIN", .revoked), (["[h1]:22"], "", .new), (["H1"], "", .new),
        ] as [([String], String, SSHServer.Answer)]
    )
    func `a certificate goes with ssh as the verdict says`(
        principals: [String],
        more: String,
        expected: SSHServer.Answer
    ) throws {
        let file = "cert\(UInt64.random(in: 0 ... .max))"
        let offered = try keys.certificate(file, of: 0, by: 1, hosts: principals)
        let words = ["PLAIN": keys[0], "OTHER": keys[2], "CA": keys[1]]
        let text = "@cert-authority h* \(keys[1].typeAndBase64.text)\n\(more.naming(words))"
        let check = KnownHostsFile(text.bytes).check(offered, for: try HostName(host: "h1"), at: 1)
        #expect(Self.answer(check) == expected)
        let path = keys.ssh.path(file)
        let found = try SSHServer().connect(
            to: "h1",
            key: path,
            certificate: path + "-cert.pub",
            known: text.bytes
        )
        #expect(found.answer == expected, "\(found.log)")
    }

    @Test(
        .enabled(if: SSHServer.program != nil, SSHServer.missing),
        arguments: ["bastion", "[db1]:2222", "db1"]
    )
    func `ssh looks an alias up alone, and so does the verdict`(known: String) throws {
        let text = known.bytes + [0x20] + keys[0].typeAndBase64
        let alias = try HostName(alias: "Bastion")
        let check = KnownHostsFile(text).check(keys[0], for: alias, at: 0)
        #expect(check.verdict.isTrusted == (known == "bastion"))
        let path = keys.ssh.path(keys.keys[0].file)
        let found = try SSHServer().connect(to: "db1", port: 2222, alias: "Bastion", key: path, known: text)
        #expect(found.answer == Self.answer(check), "\(found.log)")
    }

    /// What ssh says where the verdict is this; a key revoked under the bare name is only new for it.
    private static func answer(_ check: HostCheck) -> SSHServer.Answer {
        switch check.verdict {
        case .new: .new
        case .match: .match
        case .changed: .changed
        case .revoked: check.isWithoutPort ? .new : .revoked
        case .certified: .certified
        }
    }
}
