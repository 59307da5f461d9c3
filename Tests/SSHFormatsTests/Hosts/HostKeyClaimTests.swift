import Support
import Testing
import VaultCrypto

@testable import SSHFormats

/// Lines that no import could compare: hashed names and patterns beside what is known of a host.
struct HostKeyClaimTests {
    private let keys: HostKeys
    private let now: UInt64 = 1_800_000_000
    private let host: HostName

    init() throws {
        keys = try HostKeys.shared.get()
        host = try HostName(host: "hh.example.org")
    }

    /// A line of the host behind a hash with a salt of its own.
    private func hashed(_ key: Int, salt: UInt8) throws -> KnownHost {
        let salt = [UInt8](repeating: salt, count: 20)
        return KnownHost(names: try HostPattern(hashing: host, salt: salt), key: keys[key])
    }

    private func listed(_ key: Int, _ names: String) throws -> KnownHost {
        KnownHost(names: try HostPattern(Array(names.utf8)), key: keys[key])
    }

    @discardableResult
    private func take(
        _ book: inout HostKeyBook,
        _ hosts: KnownHost...,
        rule: KnownHostsImport.Conflicts = .leave
    ) throws -> KnownHostsImport {
        let lines = hosts.map { KnownHostsLine($0) }
        return try book.take(KnownHostsFile(lines, endsWithLineFeed: true), conflicts: rule, at: now)
    }

    /// The keys that are taken for the host.
    private func good(_ book: HostKeyBook) -> [Int] {
        (0..<5).filter { book.check(keys[$0], for: host, at: now).verdict.isTrusted }
    }

    @Test func `a second key behind another hash is changed until someone trusts it`() throws {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1))
        #expect(try take(&book, hashed(1, salt: 2)).uncompared == 1)
        #expect(good(book) == [0])
        #expect(
            book.check(keys[1], for: host, at: now).verdict == .changed(trusted: [try hashed(0, salt: 1)])
        )
        // A third file with the same key does not help it.
        try take(&book, hashed(1, salt: 3))
        try take(&book, listed(1, "*.example.org"))
        #expect(good(book) == [0])
        #expect(throws: SSHFormatError.changedHostKey) {
            try book.trust([keys[1]], for: host, source: .compared, additional: false, at: now)
        }
        let trusted = try book.trust([keys[1]], for: host, source: .compared, additional: true, at: now)
        #expect(trusted.map(\.isNew) == [true])
        #expect(good(book) == [0, 1])
        #expect(try HostKeyBook(contents: book.contents()) == book)
    }

    @Test func `lines of one file stand together, and what is known stays known`() throws {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1), hashed(1, salt: 2), listed(2, "*.example.org"))
        #expect(good(book) == [0, 1, 2])
        try take(&book, hashed(1, salt: 3), hashed(4, salt: 4))
        #expect(good(book) == [0, 1, 2])
        // A key that a person adds takes nothing from the file.
        _ = try book.trust([keys[3]], for: host, source: .firstUse, additional: true, at: now)
        #expect(good(book) == [0, 1, 2, 3])
        #expect(book.entries.allSatisfy { $0.lastSeen ?? .max >= $0.firstSeen })
    }

    @Test(arguments: ["*.example.org", "hh.example.?rg,other"])
    func `a pattern brings no second key to a host behind a hash`(pattern: String) throws {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1))
        try take(&book, listed(1, pattern))
        #expect(good(book) == [0])
        let other = try HostName(host: pattern.hasSuffix("other") ? "other" : "new.example.org")
        #expect(book.check(keys[1], for: other, at: now).verdict.isTrusted)
        #expect(
            book.check(keys[2], for: other, at: now).verdict == .changed(trusted: [try listed(1, pattern)])
        )
    }

    @Test func `a clock that goes back does not let a key in`() throws {
        var book = HostKeyBook()
        let file = KnownHostsFile([KnownHostsLine(try hashed(0, salt: 1))], endsWithLineFeed: true)
        _ = try book.take(file, conflicts: .leave, at: now + 1_000_000)
        try take(&book, hashed(1, salt: 2))
        #expect(good(book) == [0])
        #expect(book.entries.map(\.firstSeen) == [now + 1_000_000, now + 1_000_001])
    }

    @Test func `taking the first key away does not let the second in`() throws {
        var others = HostKeyBook()
        try take(&others, hashed(0, salt: 1))
        try take(&others, hashed(1, salt: 2))
        var replaced = others
        _ = try replaced.replace(
            keys[0].fingerprint,
            for: host,
            by: keys[3],
            source: .compared,
            at: now
        )
        #expect(good(replaced) == [3])
        _ = try others.remove(host, only: keys[0].fingerprint, at: now)
        #expect(good(others).isEmpty)
        #expect(others.check(keys[1], for: host, at: now).verdict == .new)
        _ = try others.restore(host)
        #expect(good(others) == [0])
    }

    @Test(arguments: ["*.example.org", "hh.example.?rg,other"])
    func `a pattern that waits does not come back as a plain line`(pattern: String) throws {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1))
        try take(&book, listed(1, pattern))
        let removed = try book.remove(host, only: nil, at: now)
        #expect(removed.map(\.state) == [.removed(at: now), .replaced(at: now, by: keys[0].fingerprint)])
        #expect(try book.restore(host).map(\.host?.key) == [keys[0]])
        #expect(good(book) == [0])
    }

    @Test func `a line that waits does not count beside a compared key once the line before it is gone`()
        throws
    {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1))
        try take(&book, listed(1, "*.example.org"))
        _ = try book.trust([keys[2]], for: host, source: .compared, additional: true, at: now)
        #expect(good(book) == [0, 2])
        #expect(try book.remove(line: 1, at: now).host?.key == keys[0])
        #expect(good(book) == [2])
        let other = try HostName(host: "new.example.org")
        #expect(book.check(keys[1], for: other, at: now).verdict.isTrusted)
    }

    @Test func `a line that comes back waits for a key that came meanwhile`() throws {
        var book = HostKeyBook()
        try take(&book, listed(0, "*.example.org"))
        _ = try book.remove(line: 1, at: now)
        _ = try book.trust([keys[1]], for: host, source: .compared, additional: false, at: now + 5)
        let other = try HostName(host: "new.example.org")
        #expect(try book.restore(other).map(\.firstSeen) == [now + 6])
        #expect(good(book) == [1] && book.check(keys[0], for: other, at: now).verdict.isTrusted)
    }

    @Test func `only the key that waits goes when it is named`() throws {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1))
        try take(&book, hashed(1, salt: 2))
        #expect(try book.remove(host, only: keys[1].fingerprint, at: now).map(\.host?.key) == [keys[1]])
        #expect(good(book) == [0])
    }

    @Test func `a hashed name that was asked about counts`() throws {
        var book = HostKeyBook()
        try take(&book, listed(0, "hh.example.org"))
        #expect(try take(&book, hashed(1, salt: 2)).conflicts.count == 1)
        #expect(good(book) == [0])
        try take(&book, hashed(1, salt: 2), rule: .add)
        #expect(good(book) == [0, 1])
    }

    @Test func `the quick comparison of hashes says what the library says`() throws {
        for count in 0...130 {
            let name = [UInt8](repeating: UInt8(ascii: "a") + UInt8(count % 26), count: count)
            let hash = HashedName(of: name, salt: [UInt8](repeating: UInt8(count), count: 20))
            let matcher = try #require(HashedNameMatcher(hash))
            #expect(matcher.matches(HashedNameMatcher.Name(name)))
            #expect(!matcher.matches(HashedNameMatcher.Name(name + [0])))
        }
    }

    @Test func `a key that waits is none that a file is compared with`() throws {
        var book = HostKeyBook()
        try take(&book, hashed(0, salt: 1))
        try take(&book, hashed(1, salt: 2))
        let report = try take(&book, listed(1, "hh.example.org"))
        #expect(report.conflicts.map(\.trusted) == [[keys[0]]])
        #expect(report.conflicts.map(\.isAdditional) == [false])
        #expect(good(book) == [0])
    }
}
