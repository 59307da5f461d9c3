import SSHFormats
import Support
import Testing
import VaultCrypto

struct KnownHostsFileTests {
    private let keys: HostKeys

    init() throws {
        keys = try HostKeys.shared.get()
    }

    @Test func `any bytes come back as they were`() throws {
        try forAll("parse then print", runs: 300) { generator in
            let alphabet = Array("db1 \t\n\r|@#*,!\0\u{FF}ssh-rsaAAAA=".utf8) + [0xFF]
            return (0..<generator.number(in: 0...200)).map { _ in generator.pick(alphabet) ?? 0x0A }
        } check: { bytes in
            KnownHostsFile(bytes).bytes == bytes
        }
        try forAll("parse then print, likely files", seed: 500, runs: 300) { generator in
            try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32))).bytes
        } check: { bytes in
            KnownHostsFile(bytes).bytes == bytes
        }
    }

    @Test(arguments: ["", "\n", "\n\n", "a", "a\n", "a\r\n", "\r\n", "a\n\nb"])
    func `an end without a line feed is kept, too`(text: String) {
        #expect(KnownHostsFile(text.bytes).bytes == text.bytes)
    }

    @Test func `lines are what OpenSSH takes them for`() throws {
        let line = "db1 ".bytes + keys[0].typeAndBase64
        func content(_ text: [UInt8]) -> KnownHostsLine.Content { KnownHostsLine(text).content }
        #expect(content([]) == .blank)
        #expect(content(" \t".bytes) == .blank)
        #expect(content("\r".bytes) == .blank)
        #expect(content("  # x".bytes) == .comment)
        #expect(KnownHostsLine(line).host?.key.blob == keys[0].blob)
        #expect(KnownHostsLine(line + [0x0D]).host?.key.comment == [])
        #expect(KnownHostsLine(line + " caf".bytes + [0xE9, 0x0D]).host?.key.comment == "caf".bytes + [0xE9])
        #expect(KnownHostsLine(line + [0] + " junk".bytes).host?.key.comment == [])
        #expect(KnownHostsLine("@revoked ".bytes + line).host?.marker == .revoked)
        #expect(KnownHostsLine("@cert-authority \t".bytes + line).host?.marker == .authority)
        #expect(content("@revoked @revoked ".bytes + line) == .unknown)
        #expect(content("@revoked\t".bytes + line) == .unknown)
        #expect(content("@Revoked ".bytes + line) == .unknown)
        #expect(content("db1 ssh-rsa ".bytes + line.dropFirst(16)) == .unknown)
        #expect(content(Array(line.dropLast(2))) == .unknown)
        let rsa = "db1 rsa-sha2-512 ".bytes + StrictBase64.encodedBytes(keys[4].blob)
        #expect(KnownHostsLine(rsa).host?.key.isSameKey(as: keys[4]) == true)
    }

    @Test func `a key of a type no one knows makes the host known`() throws {
        var blob = WireWriter()
        blob.string("ssh-future")
        blob.string([1, 2, 3])
        let line = "db1 ssh-future ".bytes + StrictBase64.encodedBytes(blob.bytes)
        let file = KnownHostsFile(line)
        let check = file.check(keys[0], for: try HostName(host: "db1"), at: 0)
        #expect(check.verdict == .changed(trusted: file.hosts))
        #expect(file.hosts.count == 1)
    }

    @Test func `a host that is known by a DSA key is known`() throws {
        var blob = WireWriter()
        blob.string("ssh-dss")
        for number: UInt8 in 1...4 { blob.mpint([number]) }
        let file = KnownHostsFile("db1 ssh-dss ".bytes + StrictBase64.encodedBytes(blob.bytes))
        let check = file.check(keys[0], for: try HostName(host: "db1"), at: 0)
        #expect(check.verdict == .changed(trusted: file.hosts))
        #expect(file.hosts.first?.key.algorithm == .dsa)
    }

    @Test func `adding ends the last line first`() throws {
        var file = KnownHostsFile("# by hand".bytes)
        file.add(KnownHost(names: HostPattern(try HostName(host: "db1", port: 2222)), key: keys[0]))
        #expect(file.bytes == "# by hand\n[db1]:2222 ".bytes + keys[0].line + [0x0A])
    }

    @Test func `a comment cannot bring in a line`() throws {
        var key = keys[0]
        key.comment = "x\n@cert-authority * y".bytes
        var file = KnownHostsFile()
        file.add(KnownHost(names: .everyHost, key: key))
        #expect(file.bytes == "* ".bytes + keys[0].typeAndBase64 + " x\n".bytes)
        #expect(KnownHostsFile(file.bytes) == file)
    }

    @Test(arguments: ["", "a b", "#a", "@a", "a\n", "|1|x", "|1|", "|2|a|b"])
    func `names that would not stay names are refused`(text: String) {
        #expect(throws: SSHFormatError.badHostPattern) { try HostPattern(text.bytes) }
    }

    @Test func `a revoked key is refused though a line trusts it`() throws {
        let name = try HostName(host: "db1")
        var file = KnownHostsFile("db1 ".bytes + keys[0].line + [0x0A])
        #expect(file.check(keys[0], for: name, at: 0).verdict.isTrusted)
        file.revoke(keys[0])
        #expect(file.check(keys[0], for: name, at: 0).verdict == .revoked(file.hosts[1]))
        #expect(file.check(keys[1], for: name, at: 0).verdict == .changed(trusted: [file.hosts[0]]))
    }

    @Test func `replacing a key keeps the old one for the other names of its line`() throws {
        let names = "web,DB1,*.example.org"
        var file = KnownHostsFile("# top\n\(names) ".bytes + keys[0].line + "\n# end".bytes)
        let name = try HostName(host: "db1")
        try file.replace(keys[0].fingerprint, with: keys[1], for: name)
        #expect(file.check(keys[1], for: name, at: 0).verdict.isTrusted)
        #expect(file.find(name).count == 1)
        #expect(file.check(keys[0], for: try HostName(host: "web"), at: 0).verdict.isTrusted)
        #expect(file.lines.first?.text == "# top".bytes)
        #expect(file.lines.last?.text == "# end".bytes)

        let wild = try HostName(host: "x.example.org")
        try file.replace(keys[0].fingerprint, with: keys[2], for: wild)
        #expect(file.check(keys[2], for: wild, at: 0).verdict.isTrusted)
        #expect(file.check(keys[0], for: try HostName(host: "y.example.org"), at: 0).verdict.isTrusted)
        #expect(file.find(wild).count == 1)
    }

    @Test func `replacing changes the verdict for that name and for no other`() throws {
        let others = try GeneratedHosts.names.map { try HostName(lookup: $0) }
        try forAll("replace", seed: 3000, runs: 200) { generator in
            let file = try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32)))
            return (file, try GeneratedHosts.name(&generator))
        } shrink: { input in
            input.0.smaller.map { ($0, input.1) }
        } check: { generated, name in
            let before = KnownHostsFile(generated.bytes)
            guard let old = before.find(name).first(where: { $0.host.marker == nil })?.host.key else {
                var same = before
                #expect(throws: SSHFormatError.unknownHostKey) {
                    try same.replace(keys[0].fingerprint, with: keys[1], for: name)
                }
                return same == before
            }
            guard let new = keys.keys.map(\.key).first(where: { !$0.isSameKey(as: old) }) else {
                return false
            }
            var after = before
            do {
                try after.replace(old.fingerprint, with: new, for: name)
            } catch SSHFormatError.revokedHostKey {
                return after == before
            }
            let isReplaced = after.check(new, for: name, at: 0).verdict.isTrusted
            let isGone = !after.find(name).contains {
                $0.host.marker == nil && $0.host.key.isSameKey(as: old)
            }
            let areSame = others.filter { $0 != name }.allSatisfy { other in
                before.find(other).map(\.host.key.blob) == after.find(other).map(\.host.key.blob)
            }
            return isReplaced && isGone && areSame && KnownHostsFile(after.bytes) == after
        }
    }

    @Test func `a key that is revoked cannot take another's place`() throws {
        var file = KnownHostsFile("db1 ".bytes + keys[0].line + "\n@revoked * ".bytes + keys[1].line)
        let before = file
        #expect(throws: SSHFormatError.revokedHostKey) {
            try file.replace(keys[0].fingerprint, with: keys[1], for: try HostName(host: "db1"))
        }
        #expect(file == before)
    }

    @Test func `a hashed name stays hashed when its key is replaced`() throws {
        let name = try HostName(host: "db1")
        let hashed = try HostPattern(hashing: name, salt: Array(1...20))
        var file = KnownHostsFile()
        file.add(KnownHost(names: hashed, key: keys[0]))
        try file.replace(Fingerprint(of: keys[0], .md5), with: keys[3], for: name)
        #expect(file.hosts.map(\.names) == [hashed])
        #expect(file.check(keys[3], for: name, at: 0).verdict.isTrusted)
    }

    @Test func `no change of one byte, and no cut, makes another key trusted`() throws {
        let name = try HostName(host: "db1", port: 2222)
        let hashed = try HostPattern(hashing: name, salt: Array(1...20))
        let text =
            "[db1]:2222,!db2 ".bytes + keys[0].line + "\r\n@revoked * ".bytes + keys[1].line + [0x0A]
            + KnownHost(names: hashed, key: keys[3]).line
        for index in text.indices {
            var files = [Array(text.prefix(index))]
            for byte in [0, 0x0A, 0x20, 0x2A, 0xFF, text[index] ^ 1] as [UInt8] {
                files.append(text)
                files[files.count - 1][index] = byte
            }
            for bytes in files {
                let file = KnownHostsFile(bytes)
                #expect(file.bytes == bytes)
                #expect(!file.check(keys[2], for: name, at: 0).verdict.isTrusted)
            }
        }
    }

    @Test func `patterns of many stars take no time`() throws {
        let pattern = String(repeating: "*a", count: 500) + "b"
        let name = try HostName(host: String(repeating: "a", count: 255))
        #expect(try !HostPattern(pattern.bytes).matches(name))
        let long = try HostPattern(String(repeating: "*", count: 1023).bytes)
        #expect(!long.matches(name))
    }
}
