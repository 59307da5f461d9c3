import SSHFormats
import SharedLog
import Testing
import VaultCrypto

@testable import VaultKit

/// Lines of known hosts go into the log and come back, and of two changes or keys the stricter counts.
struct SharedHostKeyTests {
    private let keys: [PublicKey]

    init() throws {
        keys = try (0..<3).map { try PrivateKey.ed25519(entropy: .seeded([$0])).publicKey }
    }

    private func name(_ text: String) throws -> HostName { try HostName(lookup: text) }

    private func book(
        _ key: Int = 0,
        _ host: String = "db1",
        _ source: HostKeySource = .firstUse,
        at time: UInt64 = 100
    ) throws -> HostKeyBook {
        var book = HostKeyBook()
        _ = try book.trust([keys[key]], for: name(host), source: source, additional: false, at: time)
        return book
    }

    private func line(_ book: HostKeyBook) throws -> SharedHostKey {
        let lines = SharedHostKey.lines(of: book)
        return try #require(lines.count == 1 ? lines.first?.value : nil)
    }

    private func line(_ object: KnownHostObject) throws -> SharedHostKey {
        let object = try SharedObject(kind: 4, id: object.id, name: "", content: try object.content())
        return try #require(SharedHostKey(object))
    }

    private func text(_ names: String, _ key: Int = 0) -> [UInt8] {
        Array(names.utf8) + [0x20] + keys[key].typeAndBase64
    }

    @Test func `a line that went through the log is the same, however it stands`() throws {
        var removed = try book()
        _ = try removed.remove(name("db1"), only: nil, at: 300)
        var replaced = try book()
        _ = try replaced.replace(nil, for: name("db1"), by: keys[1], source: .compared, at: 400)
        var file = HostKeyBook()
        let wide =
            text("*.example,!db1.example") + [0x0A] + text("|1|x", 1) + Array("\n# note\n@revoked ".utf8)
        _ = try file.take(KnownHostsFile(wide + text("*", 2)), conflicts: .leave, at: 500)
        let lines = [removed, replaced, file].map { SharedHostKey.lines(of: $0) }
        #expect(lines.map(\.count) == [1, 2, 2])
        for (id, before) in lines.flatMap({ Array($0) }) {
            let after = try #require(SharedHostKey(try before.object()))
            #expect(id == before.id && after.id == id && after.entry.state == before.entry.state)
            #expect(after.entry.line == before.entry.line && after.entry.source == before.entry.source)
            #expect(after.entry.firstSeen == before.entry.firstSeen && after.digests == before.digests)
            #expect(try after.object().digest() == before.object().digest())
        }
    }

    @Test func `not compared since a restore travels, until a person compares`() throws {
        let old = try line(try book(0, "db1", .compared))
        var restored = try book(0, "db1", .compared)
        restored.countAsRestored()
        let doubted = try line(restored)
        #expect(try #require(SharedHostKey(try doubted.object())).entry.isUncompared)
        #expect(old.merged(with: doubted, base: old.digests).line.entry.isUncompared)
        let sure = doubted.merged(with: old, base: doubted.digests)
        #expect(!sure.line.entry.isUncompared && !sure.isConflict)
        #expect(!old.merged(with: doubted, base: []).line.entry.isUncompared)
    }

    @Test func `what is known on this machine alone stays on it`() throws {
        var here = try book(1, "other")
        _ = try here.trust([keys[0]], for: name("db1"), source: .firstUse, additional: false, at: 200)
        let mine = try #require(here.entries.last.flatMap { SharedHostKey($0) })
        let theirs = try line(try book(0, "db1", .compared, at: 150))
        let merged = mine.merged(with: theirs, base: [])
        #expect(!merged.isConflict && merged.line.entry.source == .compared)
        #expect(merged.line.entry.firstSeen == 150 && merged.line.entry.lastSeen == mine.entry.lastSeen)
        #expect(merged.line.entry.sequence == mine.entry.sequence)
    }

    @Test func `an ended line stays ended, and both changes of its end are a conflict`() throws {
        let old = try line(try book())
        var removed = try book()
        _ = try removed.remove(name("db1"), only: nil, at: 300)
        var replaced = try book()
        _ = try replaced.replace(nil, for: name("db1"), by: keys[1], source: .compared, at: 400)
        let gone = try line(removed)
        let other = try #require(SharedHostKey.lines(of: replaced)[old.id])
        #expect(!old.merged(with: gone, base: old.digests).line.entry.isCurrent)
        #expect(old.merged(with: gone, base: []).line.entry.state == gone.entry.state)
        let merged = gone.merged(with: other, base: old.digests)
        #expect(merged.isConflict && merged.line.entry.state == other.entry.state)
    }

    @Test func `a line that stands twice is shared as the one that counts`() throws {
        var book = try book()
        _ = try book.remove(name("db1"), only: nil, at: 300)
        _ = try book.trust([keys[0]], for: name("db1"), source: .compared, additional: false, at: 400)
        #expect(book.entries.count == 2)
        #expect(try line(book).entry == book.entries[1])
        _ = try book.remove(name("db1"), only: nil, at: 500)
        #expect(try line(book).entry == book.entries[1])
    }

    @Test(arguments: ["", "# note", "db1", "db1 ssh-ed25519 AAAA", "a\nb"])
    func `an object that is no line of a host is none`(text: String) throws {
        let object = KnownHostObject(state: 0, source: 0, firstSeen: 1, line: Array(text.utf8))
        let shared = try SharedObject(kind: 4, id: object.id, name: "", content: try object.content())
        #expect(SharedHostKey(shared) == nil)
        let good = try line(try book()).object()
        for other in [
            try SharedObject(kind: 4, id: good.id, name: "db1", content: good.content),
            try SharedObject(kind: 4, id: object.id, name: "", content: good.content),
            try SharedObject(kind: 3, id: good.id, name: "", content: good.content),
            try SharedObject(kind: 4, id: good.id, name: "", content: try Secret(copying: [1, 0, 0])),
        ] {
            #expect(SharedHostKey(other) == nil)
        }
    }

    @Test func `an older copy of known hosts brings no second key behind a hash`() throws {
        let world = try SyncWorld(machines: 2)
        try world.importLine(0, try SyncWorld.hashed("db1"), 1)
        world.time += 500
        try world.trust(1, 0, by: .compared)
        var book = try world.book(1)
        book.adopt(from: try world.book(0))
        let name = try HostName(lookup: "db1")
        #expect(book.entries.count == 2)
        guard case .changed = book.check(SyncWorld.hostKeys[1], for: name, at: world.time).verdict,
            case .match = book.check(SyncWorld.hostKeys[0], for: name, at: world.time).verdict
        else {
            Issue.record("the older key counts, or the compared key does not")
            return
        }
    }
}
