import Support
import Testing
import VaultCrypto

@testable import SSHFormats

/// Files of known hosts in the vault's book, and the book in records.
struct HostKeyImportTests {
    private let keys: HostKeys
    private let now: UInt64 = 1_800_000_000

    init() throws { keys = try HostKeys.shared.get() }

    private func file(_ lines: [String]) -> KnownHostsFile {
        let text = lines.map { line in
            (0..<5).reduce(line) { text, number in
                let key = String(decoding: keys[number].typeAndBase64, as: UTF8.self)
                return text.split(separator: "%\(number)", omittingEmptySubsequences: false)
                    .joined(separator: key)
            }
        }
        return KnownHostsFile(Array(text.map { $0 + "\n" }.joined().utf8))
    }

    private func book(_ lines: String...) throws -> HostKeyBook {
        var book = HostKeyBook()
        _ = try book.take(file(lines), conflicts: .leave, at: now)
        return book
    }

    /// What a vault reads for a name: some of the records, and of these some lines.
    private static func look(
        up name: HostName,
        in contents: [HostKeyPlace: [UInt8]]
    ) throws -> [HostKeyEntry] {
        var found: [UInt64: HostKeyEntry] = [:]
        for place in try HostKeyHead(content: contents[.head]).places(for: [name]) {
            guard let content = contents[place] else { continue }
            for entry in try HostKeyEntry.entries(in: content, for: [name]) { found[entry.sequence] = entry }
        }
        return found.values.sorted { $0.sequence < $1.sequence }
    }

    @Test func `an imported file is exported byte for byte, and each name finds what ssh-keygen finds`()
        throws
    {
        let ssh = try OpenSSH()
        try forAll("import", seed: 5000, runs: 60) { generator in
            try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32)))
        } shrink: { file in
            file.smaller
        } check: { generated in
            var book = HostKeyBook()
            let report = try book.take(KnownHostsFile(generated.bytes), conflicts: .leave, at: now)
            let contents = try book.contents()
            guard book.file.bytes == generated.bytes, report.conflicts.isEmpty, report.known == 0,
                try HostKeyBook(contents: contents) == book
            else { return false }
            try ssh.write(generated.bytes, to: "known")
            for text in GeneratedHosts.names {
                let name = try HostName(lookup: text)
                let ours = try Self.look(up: name, in: contents).map { entry in
                    "\(entry.sequence) \(entry.host?.marker.map(KnownHostsOracleTests.word) ?? "")"
                }
                guard try ours == KnownHostsOracleTests.found(name, by: ssh) else { return false }
            }
            return true
        }
    }

    @Test func `verdicts are those of the file, before and after the way through records`() throws {
        try forAll("verdict", seed: 7000, runs: 150) { generator in
            let file = try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32)))
            return (file, try GeneratedHosts.name(&generator), generator.number(in: 0...4))
        } shrink: { input in
            input.0.smaller.map { ($0, input.1, input.2) }
        } check: { generated, name, key in
            var book = HostKeyBook()
            _ = try book.take(KnownHostsFile(generated.bytes), conflicts: .leave, at: now)
            let contents = try book.contents()
            let names = [name] + [name.withoutPort].compactMap(\.self)
            var found: Set<HostKeyEntry> = []
            for name in names { found.formUnion(try Self.look(up: name, in: contents)) }
            let hosts = found.sorted { $0.sequence < $1.sequence }.compactMap(\.host)
            let verdict = KnownHostsFile(generated.bytes).check(keys[key], for: name, at: now)
            return book.check(keys[key], for: name, at: now) == verdict
                && HostCheck(keys[key], for: name, among: hosts, at: now) == verdict
        }
    }

    @Test func `a file that is imported again brings nothing`() throws {
        try forAll("again", seed: 6000, runs: 100) { generator in
            try GeneratedHosts(&generator, keys: keys, entropy: .seeded(generator.bytes(32)))
        } shrink: { file in
            file.smaller
        } check: { generated in
            var book = HostKeyBook()
            _ = try book.take(KnownHostsFile(generated.bytes), conflicts: .leave, at: now)
            let before = book
            let report = try book.take(KnownHostsFile(generated.bytes), conflicts: .add, at: now + 1)
            return book == before && !report.isChange && report.conflicts.isEmpty
        }
    }

    @Test func `another key for a known name is a conflict, and the rest is taken`() throws {
        var book = try book("db1,db2 %0")
        let offered = file(["db3 %1", "db2,db9 %3", "db1 %0 known already", "DB1 %4", "# a word"])
        var report = try book.take(offered, conflicts: .leave, at: now)
        #expect(report.added == 1)
        #expect(report.known == 1)
        #expect(report.comments == 1)
        #expect(report.conflicts.map(\.line) == [2, 4])
        #expect(report.conflicts.map(\.name) == ["db2", "db1"])
        #expect(
            report.conflicts.map { $0.offered.fingerprint } == [keys[3].fingerprint, keys[4].fingerprint]
        )
        #expect(
            report.conflicts.map { $0.trusted.map(\.fingerprint) } == [[keys[0].fingerprint]] + [
                [keys[0].fingerprint]
            ]
        )
        #expect(report.conflicts.map(\.isAdditional) == [false, true])
        #expect(book.file.bytes == file(["db1,db2 %0", "db3 %1", "# a word"]).bytes)

        var added = book
        report = try added.take(offered, conflicts: .add, at: now)
        #expect(report.added == 2)
        #expect(added.file.bytes == book.file.bytes + file(["db2,db9 %3", "DB1 %4"]).bytes)
        var replaced = book
        report = try replaced.take(offered, conflicts: .replace, at: now)
        #expect(replaced.file.bytes == file(["db3 %1", "# a word", "db2,db9 %3", "DB1 %4"]).bytes)
        #expect(replaced.entries.count { !$0.isCurrent } == 2)
    }

    @Test func `hashed names and patterns are compared with names that can be read`() throws {
        var book = try book("db1 %0")
        let salt = [UInt8](repeating: 3, count: 20)
        let hashed = try HostPattern(hashing: HostName(host: "db1"), salt: salt)
        let word = String(decoding: hashed.text, as: UTF8.self)
        let report = try book.take(
            file([word + " %0", word + " %1", "db* %1", "web* %1"]),
            conflicts: .leave,
            at: now
        )
        #expect(report.known == 1)
        #expect(report.conflicts.map(\.line) == [2, 3])
        #expect(report.added == 1)
        var other = try self.book(word + " %0", "*.example.org %1")
        let plain = try other.take(
            file(["db1 %0", "db1 %1", "a.example.org %2", "a.example.org %1"]),
            conflicts: .leave,
            at: now
        )
        #expect(plain.known == 2)
        #expect(plain.conflicts.map(\.line) == [2, 3])
    }

    @Test func `marks are taken and counted`() throws {
        var book = try book("db1 %0")
        let report = try book.take(
            file(["@revoked db1 %0", "@cert-authority * %2", "db1 %0", "strange line"]),
            conflicts: .leave,
            at: now
        )
        #expect((report.added, report.revocations, report.authorities) == (2, 1, 1))
        #expect(report.unknown == [4])
        #expect(!book.check(keys[0], for: try HostName(host: "db1"), at: now).verdict.isTrusted)
    }

    @Test func `five thousand hosts lie in few small records, and each is found in one`() throws {
        var bytes: [UInt8] = []
        for number in 0..<5000 {
            let name = try HostName(host: "host\(number).example.org", port: number % 3 == 0 ? 2222 : 22)
            bytes += KnownHost(names: HostPattern(name), key: keys[number]).line + [0x0A]
        }
        var book = HostKeyBook()
        let report = try book.take(KnownHostsFile(bytes), conflicts: .leave, at: now)
        #expect(report.added == 5000)
        #expect(book.file.bytes == bytes)
        let contents = try book.contents()
        #expect(contents.count <= 257)
        #expect(contents.values.allSatisfy { $0.count < 32 << 10 })
        for number in stride(from: 0, to: 5000, by: 501) {
            let name = try HostName(host: "host\(number).example.org", port: number % 3 == 0 ? 2222 : 22)
            #expect(try HostKeyHead(content: contents[.head]).places(for: [name]).count == 1)
            #expect(try Self.look(up: name, in: contents).map(\.sequence) == [UInt64(number) + 1])
        }
    }

    @Test func `records that do not fit together are refused`() throws {
        let salt = [UInt8](repeating: 3, count: 20)
        let hashed = try HostPattern(hashing: HostName(host: "db1"), salt: salt)
        let word = String(decoding: hashed.text, as: UTF8.self)
        var book = try book("db1,db2 %0", word + " %3", "# a comment")
        _ = try book.replace(nil, for: HostName(host: "db1"), by: keys[1], source: .compared, at: now)
        let contents = try book.contents()
        #expect(try HostKeyBook(contents: contents) == book)
        for place in contents.keys {
            var fewer = contents
            fewer[place] = nil
            #expect(throws: SSHFormatError.self, "without \(place.name)") { try HostKeyBook(contents: fewer) }
            #expect(HostKeyPlace(name: place.name) == place)
        }
        var more = contents
        more[.lines(1)] = HostKeyEntry.content(of: [])
        #expect(throws: SSHFormatError.malformed) { try HostKeyBook(contents: more) }
        let bucket = try #require(contents.keys.first { if case .bucket = $0 { true } else { false } })
        var moved = contents
        moved[.bucket(0)] = contents[bucket]
        moved[bucket] = nil
        #expect(bucket == .bucket(0) || (try? HostKeyBook(contents: moved)) == nil)
        for name in [
            "b-", "b-0", "b-0G", "b-AA", "lines-1", "lines--001", "text-00001", "books", "b-0000", "",
        ] {
            #expect(HostKeyPlace(name: name) == nil)
        }
    }

    @Test func `every truncation is refused, and every changed byte is refused or another book`() throws {
        var book = try book("db1 %0", "# a comment")
        _ = try book.remove(HostName(host: "db1"), only: nil, at: now)
        let contents = try book.contents()
        for (place, content) in contents {
            for count in 0..<content.count {
                var damaged = contents
                damaged[place] = Array(content.prefix(count))
                #expect(throws: SSHFormatError.self) { try HostKeyBook(contents: damaged) }
            }
            var longer = contents
            longer[place] = content + [0]
            #expect(throws: SSHFormatError.trailingBytes) { try HostKeyBook(contents: longer) }
            for index in content.indices {
                var damaged = contents
                damaged[place]?[index] ^= 1
                guard let read = try? HostKeyBook(contents: damaged) else { continue }
                #expect(read != book, "byte \(index) of \(place.name)")
            }
        }
    }
}
