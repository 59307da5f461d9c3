import RecordStore
import SSHFormats
import SharedLog
import Testing
import VaultCrypto

@testable import VaultKit

/// Lines of known hosts that are hashed, wait for a person, or ended.
extension SyncHostKeyTests {
    @Test func `a hashed line that is older elsewhere waits for a person`() throws {
        for source in [HostKeySource.compared, .firstUse] {
            let world = try SyncWorld(machines: 3)
            try world.importLine(0, try SyncWorld.hashed("db1"), 1)
            world.time += 500
            try world.trust(1, 0, by: source)
            try world.sync(0)
            #expect(try world.sync(1).hostKeysDiffer == ["db1": "machine0"])
            #expect(try world.accepted(1) == [0])
            try world.everybody()
            try world.agree()
            // On the machine that imported it, it yields to the key that another one met.
            #expect(try keys(world) == [[0], [0], [0]])
        }
    }

    @Test func `a hashed line that waits is not put ahead by a machine that has it longer`() throws {
        let world = try SyncWorld(machines: 2)
        let hashed = try SyncWorld.hashed("db1")
        try world.importLine(0, hashed, 1)
        world.time += 500
        try world.trust(1, 0, by: .compared)
        world.time += 500
        // The name is plain here, so the file is imported as one that adds.
        try world.edit(1, HostKeyTransaction.self) { known, now in
            var book = HostKeyBook()
            let text = Array(hashed.utf8) + [0x20] + SyncWorld.hostKeys[1].typeAndBase64
            _ = try known.act { (all) throws(SSHFormatError) in
                _ = try book.take(KnownHostsFile(text), conflicts: .leave, at: now)
                if let line = book.entries.first { _ = all.put(line.numbered(0), copies: []) }
            }
        }
        #expect(try world.accepted(1) == [0])
        try world.sync(0)
        try world.sync(1)
        #expect(try world.accepted(1) == [0])
        try world.everybody()
        #expect(try keys(world) == [[0], [0]])
    }

    @Test func `two hashed lines of one host do not count together`() throws {
        let world = try SyncWorld(machines: 3)
        try world.importLine(0, try SyncWorld.hashed("db1", salt: 1), 0)
        try world.importLine(1, try SyncWorld.hashed("db1", salt: 2), 1)
        try world.sync(0)
        try world.sync(1)
        try world.sync(2)
        #expect(try world.accepted(1) == [1] && world.accepted(2) == [0])
        try world.everybody()
        #expect(try world.accepted(0) == [0])
        // One machine imported one after the other: the order is the same elsewhere.
        let other = try SyncWorld(machines: 2)
        try other.importLine(0, try SyncWorld.hashed("db1", salt: 2), 1)
        other.time += 10
        try other.importLine(0, try SyncWorld.hashed("db1", salt: 1), 0)
        try other.everybody()
        #expect(try keys(other) == [[1], [1]])
    }

    @Test func `a line that waits does not count once the key before it is gone`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0)
        try world.everybody()
        world.time += 10
        try world.importLine(1, "db1,*.db1", 1)
        try world.edit(1, HostKeyTransaction.self) { known, now in
            let text = Array("db?".utf8) + [0x20] + SyncWorld.hostKeys[1].typeAndBase64
            var book = HostKeyBook()
            _ = try known.act { (all) throws(SSHFormatError) in
                _ = try book.take(KnownHostsFile(text), conflicts: .leave, at: now)
                if let line = book.entries.first { _ = all.put(line.numbered(0), copies: []) }
            }
        }
        #expect(try world.accepted(1) == [0] && world.accepted(1, "db2") == [1])
        try world.edit(0, HostKeyTransaction.self) { known, now in
            let name = try HostName(lookup: "db1")
            _ = try known.act { (book) throws(SSHFormatError) in
                try book.remove(name, only: nil, at: now)
            }
        }
        try world.sync(0)
        try world.sync(1)
        #expect(try world.accepted(1) == [] && world.accepted(1, "db2") == [1])
        try world.everybody()
        try world.agree()
    }

    @Test func `a mark of revocation comes with its line, and a line that ended stays so in every copy`()
        throws
    {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0)
        try world.everybody()
        let text = Array("db1 ".utf8) + SyncWorld.hostKeys[0].typeAndBase64
        try world.edit(1, HostKeyTransaction.self) { known, _ in
            let line = HostKeyEntry(KnownHostsLine(text), sequence: 0, source: .imported, firstSeen: 5)
            _ = known.book.put(line, copies: [])
        }
        try world.edit(0, HostKeyTransaction.self) { known, now in
            let name = try HostName(lookup: "db1")
            _ = try known.act { (book) throws(SSHFormatError) in
                _ = try book.remove(name, only: nil, at: now)
                return try book.revoke(SyncWorld.hostKeys[0], for: HostPattern(name), at: now)
            }
        }
        try world.everybody()
        try world.agree()
        let name = try HostName(lookup: "db1")
        for who in [0, 1] {
            #expect(try world.book(who).entries.filter { $0.isCurrent }.count == 1)
            guard case .revoked = try world.book(who).check(SyncWorld.hostKeys[0], for: name, at: 1).verdict
            else {
                Issue.record("not revoked")
                continue
            }
        }
    }

    @Test func `a line that waits behind a hashed name does not count once that line is gone`() throws {
        let world = try SyncWorld(machines: 2)
        try world.importLine(1, try SyncWorld.hashed("db1"), 0)
        try world.importLine(1, "db?", 1)
        try world.trust(1, 2, by: .compared, additional: true)
        try world.everybody()
        #expect(try world.accepted(0) == [2] && world.accepted(1) == [0, 2])
        try world.edit(0, HostKeyTransaction.self) { known, now in
            let (name, old) = (try HostName(lookup: "db1"), SyncWorld.hostKeys[0].fingerprint)
            _ = try known.act { (book) throws(SSHFormatError) in try book.remove(name, only: old, at: now) }
        }
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[2], [2]] && keys(world, "db2") == [[1], [1]])
    }

    @Test func `a line that gave way to a key does not come back with it`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0, by: .compared)
        try world.everybody()
        try world.edit(1, HostKeyTransaction.self) { known, now in
            let text = Array("db?".utf8) + [0x20] + SyncWorld.hostKeys[1].typeAndBase64
            _ = known.book.put(
                HostKeyEntry(KnownHostsLine(text), sequence: 0, source: .imported, firstSeen: now + 1),
                copies: []
            )
        }
        let name = try HostName(lookup: "db1")
        try world.edit(0, HostKeyTransaction.self) { known, now in
            _ = try known.act { (book) throws(SSHFormatError) in try book.remove(name, only: nil, at: now) }
        }
        try world.everybody()
        try world.edit(1, HostKeyTransaction.self) { known, _ in
            _ = try known.act { (book) throws(SSHFormatError) in try book.restore(name) }
        }
        #expect(try keys(world) == [[], [0]] && keys(world, "db2") == [[1], [1]])
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[0], [0]])
    }

    @Test func `a line that waits for a name without its port does not count later beside a compared key`()
        throws
    {
        let world = try SyncWorld(machines: 2)
        try world.importLine(0, try SyncWorld.hashed("db1"), 0)
        try world.importLine(0, "*", 1)
        try world.trust(0, 2, host: "[db1]:2222", by: .compared)
        #expect(try world.accepted(0, "[db1]:2222") == [2] && world.accepted(0, "[db1]:22") == [0])
        try world.trust(1, 1)
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[1], [1]] && keys(world, "[db1]:2222") == [[2], [2]])
        #expect(try keys(world, "db2") == [[1], [1]])
    }
}

extension HostKeyEntry {
    /// The same line under another number.
    fileprivate func numbered(_ number: UInt64) -> HostKeyEntry {
        HostKeyEntry(line, sequence: number, source: source, firstSeen: firstSeen)
    }
}
