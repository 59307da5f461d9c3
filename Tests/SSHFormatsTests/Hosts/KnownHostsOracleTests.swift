import SSHFormats
import Support
import Testing
import VaultCrypto

/// ssh-keygen reads the same files.
struct KnownHostsOracleTests {
    @Test func `what is found is what ssh-keygen finds`() throws {
        let (keys, ssh) = (try HostKeys.shared.get(), try OpenSSH())
        try forAll("find", runs: 150) { generator in
            let file = try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32)))
            return (file, try GeneratedHosts.name(&generator))
        } shrink: { input in
            input.0.smaller.map { ($0, input.1) }
        } check: { file, name in
            try ssh.write(file.bytes, to: "known")
            let ours = KnownHostsFile(file.bytes).find(name).map { found in
                "\(found.line) \(found.host.marker.map(Self.word) ?? "")"
            }
            return try ours == Self.found(name, by: ssh)
        }
    }

    @Test func `hashing gives a file in which ssh-keygen finds the same keys`() throws {
        let (keys, ssh) = (try HostKeys.shared.get(), try OpenSSH())
        try forAll("hash", seed: 1000, runs: 40) { generator in
            let entropy = Entropy.seeded(generator.bytes(32))
            let file = try GeneratedHosts(&generator, keys: keys, entropy: entropy)
            return (file, try GeneratedHosts.name(&generator), generator.bytes(32))
        } shrink: { input in
            input.0.smaller.map { ($0, input.1, input.2) }
        } check: { generated, name, seed in
            let plain = KnownHostsFile(generated.bytes)
            var hashed = plain
            hashed.hash(with: .seeded(seed))
            try ssh.write(hashed.bytes, to: "known")
            let found = try Self.found(name, by: ssh)
            let same = Set(plain.find(name).map(\.host.key)) == Set(hashed.find(name).map(\.host.key))
            return same && found.count == hashed.find(name).count
        }
    }

    @Test func `a file that ssh-keygen hashed is read as before`() throws {
        let (keys, ssh) = (try HostKeys.shared.get(), try OpenSSH())
        var plain = KnownHostsFile()
        for (index, name) in GeneratedHosts.names.enumerated() {
            plain.add(KnownHost(names: HostPattern(try HostName(lookup: name)), key: keys[index]))
        }
        try ssh.write(plain.bytes, to: "known")
        try ssh.keygen(["-H", "-f", "known"])
        let hashed = KnownHostsFile(try ssh.read("known"))
        #expect(hashed.hosts.count == plain.hosts.count)
        #expect(hashed.hosts.allSatisfy { $0.names.isHashed })
        for name in GeneratedHosts.names {
            let name = try HostName(lookup: name)
            #expect(hashed.find(name).map(\.host.key) == plain.find(name).map(\.host.key))
        }
    }

    @Test func `removing a name leaves what ssh-keygen leaves`() throws {
        let (keys, ssh) = (try HostKeys.shared.get(), try OpenSSH())
        try forAll("remove", seed: 2000, runs: 60) { generator in
            let file = try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32)))
            return (file, try GeneratedHosts.name(&generator))
        } shrink: { input in
            input.0.smaller.map { ($0, input.1) }
        } check: { generated, name in
            var file = KnownHostsFile(generated.bytes)
            // ssh-keygen gives up a file with a line it cannot read, so only readable ones can be compared.
            guard !file.lines.contains(where: { $0.content == .unknown }) else { return true }
            file.remove(name)
            try ssh.write(generated.bytes, to: "known")
            do {
                try ssh.keygen(["-R", name.lookup, "-f", "known"])
            } catch let failure as OpenSSH.Failure where failure.status == 1 {
                // Nothing was found.
            }
            var left = try ssh.read("known")
            // It ends every line that it writes.
            if !file.endsWithLineFeed, left.last == 0x0A { left.removeLast() }
            return left == file.bytes
        }
    }

    @Test func `five thousand lines come back as they were, and each name finds its key`() throws {
        let (keys, ssh) = (try HostKeys.shared.get(), try OpenSSH())
        var bytes: [UInt8] = []
        for number in 0..<5000 {
            let name = try HostName(host: "host\(number).example.org", port: number % 3 == 0 ? 2222 : 22)
            let names =
                number % 2 == 0
                ? HostPattern(name)
                : try HostPattern(hashing: name, salt: Hash.sha256("\(number)".bytes).dropLast(12))
            bytes += KnownHost(names: names, key: keys[number]).line + [0x0A]
        }
        let file = KnownHostsFile(bytes)
        #expect(file.bytes == bytes)
        #expect(file.hosts.count == 5000)
        try ssh.write(bytes, to: "known")
        for number in stride(from: 0, to: 5000, by: 501) {
            let name = try HostName(host: "host\(number).example.org", port: number % 3 == 0 ? 2222 : 22)
            #expect(file.find(name).map(\.line) == [number + 1])
            #expect(try Self.found(name, by: ssh) == ["\(number + 1) "])
        }
    }

    static func word(_ marker: KnownHost.Marker) -> String {
        switch marker {
        case .authority: "CA"
        case .revoked: "REVOKED"
        }
    }

    /// Line and marker of everything that ssh-keygen finds and can read.
    static func found(_ name: HostName, by ssh: OpenSSH) throws -> [String] {
        let output: [UInt8]
        do {
            output = try ssh.keygen(["-l", "-F", name.lookup, "-f", "known"])
        } catch let failure as OpenSSH.Failure where failure.status == 1 {
            return []
        }
        let start = "# Host \(name.lookup) found: line "
        return output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix(start) }
            .map { String($0.dropFirst(start.count)) }
    }
}
