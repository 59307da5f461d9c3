import Support
import Testing
import VaultCrypto

@testable import SSHFormats

/// The book of known hosts: acts and their refusals.
struct HostKeyBookTests {
    private let keys: HostKeys
    private let now: UInt64 = 1_800_000_000

    init() throws { keys = try HostKeys.shared.get() }

    private func name(_ text: String) throws -> HostName { try HostName(lookup: text) }

    /// A book of a file with these lines, in which `%0` is key 0 and so on.
    private func book(_ lines: String...) throws -> HostKeyBook {
        var book = HostKeyBook()
        _ = try book.take(file(lines), conflicts: .leave, at: now)
        return book
    }

    private func file(_ lines: [String]) -> KnownHostsFile {
        KnownHostsFile(Array(lines.map { text($0) + "\n" }.joined().utf8))
    }

    private func text(_ line: String) -> String {
        (0..<5).reduce(line) { text, number in
            let key = String(decoding: keys[number].typeAndBase64, as: UTF8.self)
            return text.split(separator: "%\(number)", omittingEmptySubsequences: false).joined(
                separator: key
            )
        }
    }

    private func lines(_ book: HostKeyBook) -> [String] {
        book.file.lines.map { String(decoding: $0.text, as: UTF8.self) }
    }

    private func trust(
        _ book: inout HostKeyBook,
        _ key: Int,
        _ host: String,
        additional: Bool = false
    ) throws -> Bool {
        try book.trust(
            [keys[key]],
            for: name(host),
            source: .firstUse,
            additional: additional,
            at: now
        )[0].isNew
    }

    @Test func `trusting twice is trusting once`() throws {
        var book = HostKeyBook()
        #expect(try trust(&book, 0, "db1"))
        let once = book
        #expect(try !trust(&book, 0, "db1"))
        #expect(book == once)
        #expect(lines(book) == [text("db1 %0")])
        #expect(book.entries[0].firstSeen == now)
        #expect(book.entries[0].lastSeen == now)
    }

    @Test(arguments: [1, 3, 4])
    func `another key of any type is a changed key, unless it is said to come beside`(key: Int) throws {
        var book = HostKeyBook()
        _ = try trust(&book, 0, "[db1]:2222")
        let before = book
        #expect(throws: SSHFormatError.changedHostKey) { try trust(&book, key, "[db1]:2222") }
        #expect(book == before)
        #expect(try trust(&book, key, "[db1]:2222", additional: true))
        #expect(book.check(keys[0], for: try name("[db1]:2222"), at: now).verdict.isTrusted)
        #expect(book.check(keys[key], for: try name("[db1]:2222"), at: now).verdict.isTrusted)
    }

    @Test func `several keys of a new host come together`() throws {
        var book = HostKeyBook()
        let offered = [keys[0], keys[3], keys[0]]
        let trusted = try book.trust(
            offered,
            for: name("db1"),
            source: .compared,
            additional: false,
            at: now
        )
        #expect(trusted.map(\.isNew) == [true, true, false])
        #expect(book.entries.map(\.lastSeen) == [nil, nil])
    }

    @Test(arguments: ["@revoked db1 %0", "@revoked d* %0", "@revoked * %0"])
    func `a revoked key is not trusted again`(mark: String) throws {
        var book = try book(mark)
        let before = book
        for host in ["db1", "[db1]:2222"] {
            #expect(throws: SSHFormatError.revokedHostKey) { try trust(&book, 0, host, additional: true) }
        }
        #expect(book == before)
        #expect(try trust(&book, 1, "db1"))
        #expect(throws: SSHFormatError.revokedHostKey) {
            try book.replace(nil, for: name("db1"), by: keys[0], source: .compared, at: now)
        }
    }

    @Test func `a replaced key stays as history, and is neither exported nor matched`() throws {
        var book = try book("a %2", "db1 %0 the comment", "z %2")
        let (entry, replaced) = try book.replace(
            keys[0].fingerprint,
            for: name("db1"),
            by: keys[1],
            source: .compared,
            at: now + 5
        )
        #expect(lines(book) == [text("a %2"), text("db1 %1"), text("z %2")])
        #expect(replaced.map(\.state) == [.replaced(at: now + 5, by: keys[1].fingerprint)])
        #expect(replaced.allSatisfy { book.entries.contains($0) })
        #expect(book.entries.contains(entry))
        guard case .changed = book.check(keys[0], for: try name("db1"), at: now).verdict else {
            Issue.record("the old key still counts")
            return
        }
        #expect(book.check(keys[1], for: try name("db1"), at: now).verdict.isTrusted)
        // Back again: the same way.
        #expect(throws: SSHFormatError.changedHostKey) { try trust(&book, 0, "db1") }
        _ = try book.replace(nil, for: name("db1"), by: keys[0], source: .compared, at: now + 9)
        #expect(book.check(keys[0], for: try name("db1"), at: now).verdict.isTrusted)
        #expect(book.entries.count { !$0.isCurrent } == 2)
    }

    @Test func `other names of a line keep the key that one of them lost`() throws {
        var book = try book("db1,DB2,10.0.0.1 %0 c", "*.example.org %0")
        _ = try book.replace(nil, for: name("db2"), by: keys[1], source: .compared, at: now)
        #expect(lines(book) == [text("db1,10.0.0.1 %0 c"), text("*.example.org %0"), text("db2 %1")])
        let host = try name("db2.example.org")
        _ = try book.replace(nil, for: host, by: keys[1], source: .compared, at: now)
        #expect(book.check(keys[1], for: host, at: now).verdict.isTrusted)
        #expect(book.check(keys[0], for: try name("x.example.org"), at: now).verdict.isTrusted)
    }

    @Test func `a hashed name that is replaced stays hashed, in its place`() throws {
        let hashed = try HostPattern(hashing: name("db1"), salt: [UInt8](repeating: 7, count: 20))
        let word = String(decoding: hashed.text, as: UTF8.self)
        var book = try book(word + " %0", "z %2")
        _ = try book.replace(nil, for: name("db1"), by: keys[1], source: .compared, at: now)
        #expect(lines(book) == [text(word + " %1"), text("z %2")])
    }

    @Test func `a replacement takes all keys of the host, or the one that is named`() throws {
        var book = try book("db1 %0", "db1 %3", "db1 %4")
        var one = book
        _ = try one.replace(keys[3].fingerprint, for: name("db1"), by: keys[1], source: .compared, at: now)
        #expect(lines(one) == [text("db1 %0"), text("db1 %1"), text("db1 %4")])
        _ = try book.replace(nil, for: name("db1"), by: keys[4], source: .compared, at: now)
        #expect(lines(book) == [text("db1 %4")])
        #expect(throws: SSHFormatError.unknownHostKey) {
            try book.replace(keys[2].fingerprint, for: name("db1"), by: keys[1], source: .compared, at: now)
        }
        #expect(throws: SSHFormatError.unknownHostKey) {
            try book.replace(nil, for: name("db2"), by: keys[1], source: .compared, at: now)
        }
    }

    @Test func `what was taken out comes back, unless another key came`() throws {
        var book = try book("@cert-authority db1 %4", "db1,db2 %0", "db1 %3", "@revoked db1 %2")
        let before = lines(book)
        let removed = try book.remove(name("db1"), only: nil, at: now)
        #expect(removed.count == 2)
        #expect(lines(book) == [before[0], text("db2 %0"), before[3]])
        var other = book
        _ = try trust(&other, 1, "db1")
        #expect(throws: SSHFormatError.changedHostKey) { try other.restore(name("db1")) }
        #expect(try book.restore(name("db1")).count == 2)
        #expect(Set(lines(book)) == Set([before[0], text("db1 %0"), text("db2 %0"), before[2], before[3]]))
        #expect(throws: SSHFormatError.unknownHostKey) { try book.restore(name("db1")) }
    }

    @Test func `a key that was taken out can be trusted again`() throws {
        var book = try book("db1 %0")
        _ = try book.remove(name("db1"), only: keys[0].fingerprint, at: now)
        #expect(try trust(&book, 0, "db1"))
        #expect(lines(book) == [text("db1 %0")])
        #expect(throws: SSHFormatError.unknownHostKey) { try book.restore(name("db1")) }
    }

    @Test func `what was taken out long ago is forgotten, what was replaced is not`() throws {
        var book = try book("db1 %0", "db2 %0")
        _ = try book.remove(name("db1"), only: nil, at: now)
        _ = try book.replace(nil, for: name("db2"), by: keys[1], source: .compared, at: now)
        book.purge(removedBefore: now)
        #expect(book.entries.count == 3)
        book.purge(removedBefore: now + 1)
        #expect(book.entries.count == 2)
        #expect(lines(book) == [text("db2 %1")])
    }

    @Test func `a whole line can be taken out, also a mark`() throws {
        var book = try book("@revoked db1 %0", "# a comment")
        #expect(try book.remove(line: 1, at: now).host?.marker == .revoked)
        #expect(lines(book) == ["# a comment"])
        for line in [1, 2, 3] as [UInt64] {
            #expect(throws: SSHFormatError.unknownHostKey) { try book.remove(line: line, at: now) }
        }
        #expect(try book.restore(name("db1")).count == 1)
    }

    @Test func `a mark of revocation is made once`() throws {
        var book = HostKeyBook()
        #expect(try book.revoke(keys[0], for: .everyHost, at: now).isNew)
        #expect(try !book.revoke(keys[0], for: .everyHost, at: now).isNew)
        #expect(try book.revoke(keys[0], for: HostPattern(name("db1")), at: now).isNew)
        #expect(lines(book) == [text("@revoked * %0"), text("@revoked db1 %0")])
    }

    @Test func `a key that was seen is noted once a day`() throws {
        let book = try book("db1,db2 %0", "db1 %1")
        let entry = book.entries[0]
        let content = HostKeyEntry.content(of: book.entries)
        let noted = try #require(try entry.noted(at: now, in: content))
        let seen = try HostKeyEntry.entries(in: noted)
        #expect(seen.map(\.lastSeen) == [now, nil])
        #expect(try entry.noted(at: now + 86_399, in: noted) == nil)
        #expect(try seen[0].noted(at: now + 86_399, in: noted) == nil)
        #expect(try seen[0].noted(at: now + 86_400, in: noted) != nil)
    }

    @Test func `too many lines, or too long ones, are refused before anything is taken`() throws {
        var book = HostKeyBook()
        let many = KnownHostsFile([UInt8](repeating: 0x0A, count: HostKeyBook.maximumEntries + 1))
        #expect(throws: SSHFormatError.oversized(limit: HostKeyBook.maximumEntries)) {
            try book.take(many, conflicts: .leave, at: now)
        }
        let long = KnownHostsFile([UInt8](repeating: 0x23, count: HostKeyEntry.longestLine + 1))
        #expect(throws: SSHFormatError.oversized(limit: HostKeyEntry.longestLine)) {
            try book.take(long, conflicts: .leave, at: now)
        }
        let line = [UInt8](repeating: 0x23, count: HostKeyEntry.longestLine - 1) + [0x0A]
        let big = KnownHostsFile(Array([[UInt8]](repeating: line, count: 16).joined()))
        #expect(throws: SSHFormatError.oversized(limit: HostKeyBook.maximumBytes)) {
            try book.take(big, conflicts: .leave, at: now)
        }
        #expect(book == HostKeyBook())
    }
}
