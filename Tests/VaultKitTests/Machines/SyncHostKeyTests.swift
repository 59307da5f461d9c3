import RecordStore
import SSHFormats
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// Vaults that share a log come to the same known hosts, and no key counts beside a compared one without a word.
struct SyncHostKeyTests {
    /// The keys that each machine accepts for a host.
    func keys(_ world: SyncWorld, _ host: String = "db1") throws -> [[Int]] {
        try world.machines.indices.map { try world.accepted($0, host) }
    }

    @Test func `known hosts go over and back`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0)
        try world.sync(0)
        let report = try world.sync(1)
        #expect(report.received == 1 && report.hostKeysDiffer.isEmpty)
        #expect(try keys(world) == [[0], [0]])
        try world.edit(1, HostKeyTransaction.self) { known, now in
            _ = try known.act { (book) throws(SSHFormatError) in
                let name = try HostName(lookup: "db1")
                return try book.replace(nil, for: name, by: SyncWorld.hostKeys[1], source: .compared, at: now)
            }
        }
        try world.sync(1)
        #expect(try world.sync(0).hostKeysDiffer.isEmpty && keys(world) == [[1], [1]])
        try world.everybody()
        try world.agree()
        let before = world.line.count
        try world.everybody()
        #expect(world.line.count == before)
    }

    @Test func `two machines that met the same host at two times agree`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0)
        world.time += 100
        try world.trust(1, 0)
        try world.everybody()
        try world.agree()
        let lines = try world.lines(1)
        #expect(lines.count == 1 && world.machines.allSatisfy { $0.conflicts == 0 })
    }

    @Test func `two keys of one host, of whatever type, are never both accepted`() throws {
        let cases: [(mine: (Int, HostKeySource), log: (Int, HostKeySource), winner: Int)] = [
            ((0, .firstUse), (1, .firstUse), 1), ((0, .firstUse), (4, .firstUse), 4),
            ((0, .compared), (1, .firstUse), 0), ((0, .compared), (4, .firstUse), 0),
            ((0, .firstUse), (1, .compared), 1), ((0, .compared), (1, .compared), 1),
            ((0, .sshfp), (4, .imported), 4), ((0, .compared), (4, .sshfp), 0),
        ]
        for (mine, log, winner) in cases {
            let world = try SyncWorld(machines: 2)
            try world.trust(0, log.0, by: log.1)
            try world.trust(1, mine.0, by: mine.1)
            try world.sync(0)
            #expect(try world.sync(1).hostKeysDiffer == ["db1": "machine0"])
            #expect(try world.accepted(1) == [winner])
            try world.everybody()
            try world.agree()
            #expect(try keys(world) == [[winner], [winner]])
            // The other key is refused, and what is known of it is kept.
            let loser = winner == mine.0 ? log.0 : mine.0
            let name = try HostName(lookup: "db1")
            for who in [0, 1] {
                let verdict = try world.book(who).check(SyncWorld.hostKeys[loser], for: name, at: 1).verdict
                guard case .changed = verdict else {
                    Issue.record("\(verdict)")
                    continue
                }
            }
            #expect(try world.lines(0).count == 2)
        }
    }

    @Test func `a compare that a restore made doubtful does not win`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(1, 0, by: .compared)
        try world.edit(1, HostKeyTransaction.self) { known, _ in known.book.countAsRestored() }
        try world.trust(0, 1)
        try world.everybody()
        #expect(try keys(world) == [[1], [1]])
    }

    @Test func `a host with several keys is judged as a whole`() throws {
        let world = try SyncWorld(machines: 2)
        // Both know key 0: the other keys of its host come with it.
        try world.trust(0, 0, 1, 4)
        try world.trust(1, 0)
        try world.sync(0)
        #expect(try world.sync(1).hostKeysDiffer.isEmpty)
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[0, 1, 4], [0, 1, 4]])
    }

    @Test func `beside a compared key no other one comes that nobody compared`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0, 1, 4)
        try world.trust(1, 0, by: .compared)
        try world.sync(0)
        #expect(try world.sync(1).hostKeysDiffer == ["db1": "machine0"])
        #expect(try world.accepted(1) == [0])
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[0], [0]])
    }

    @Test func `a second key that a person compared comes beside the first, and is said`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0, by: .compared)
        try world.everybody()
        try world.trust(1, 4, by: .compared, additional: true)
        try world.sync(1)
        #expect(try world.sync(0).hostKeysDiffer == ["db1": "machine1"])
        #expect(try keys(world) == [[0, 4], [0, 4]])
        // A third one that came about without a compare is refused everywhere.
        try world.trust(1, 1, by: .firstUse, additional: true)
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[0, 4], [0, 4]])
    }

    @Test func `a name that loses its key leaves the other names of its line alone`() throws {
        let world = try SyncWorld(machines: 2)
        try world.importLine(1, "db1,db2", 0)
        try world.trust(0, 1, by: .compared)
        try world.everybody()
        try world.agree()
        #expect(try keys(world) == [[1], [1]] && keys(world, "db2") == [[0], [0]])
    }

    @Test func `known hosts that cannot be read stop nothing, and are neither changed nor deleted`() throws {
        let world = try SyncWorld(machines: 2)
        try world.trust(0, 0)
        try world.trust(0, 1, host: "db2")
        try world.everybody()
        world.damage(1, try RecordID("ssh.hostkey", "book"))
        try world.trust(0, 2, host: "db3")
        try world.addKey(0, "work", 1)
        try world.everybody()
        #expect(try world.keys(1).count == 1 && world.kept(1) == 1 && world.lines(0).count == 3)
        world.damage(1, nil)
        try world.addKey(0, "more", 2)
        try world.everybody()
        try world.agree()
        #expect(try world.kept(1) == 0 && world.accepted(1, "db3") == [2])
    }

    @Test(arguments: Array(1...60) + [155])
    func `vaults with random host keys come to the same`(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let world = try SyncWorld(machines: 2 + Int(seed % 4))
        let count = world.machines.count
        var copies: [Int: [RecordDraft]] = [:]
        for who in 0..<count { world.skew(who, Int64(random.next(20)) * 43_200 - 432_000) }
        let hosts = ["db1", "db2", "[db1]:2222"]
        for _ in 0..<50 {
            world.time += 37
            let who = random.next(count)
            let (host, key) = (hosts[random.next(3)], random.next(5))
            let name = try HostName(lookup: host)
            let source: HostKeySource = random.next(3) == 0 ? .compared : .firstUse
            func act(_ act: (inout HostKeyBook, UInt64) throws(SSHFormatError) -> Void) throws {
                try world.attempt(who, HostKeyTransaction.self) { known, now in
                    try known.act { (book) throws(SSHFormatError) in try act(&book, now) }
                }
            }
            switch random.next(13) {
            case 0...2: do { try world.trust(who, key, host: host, by: source) } catch is VaultError {}
            case 3: try world.importLine(who, try SyncWorld.hashed(host, salt: UInt8(random.next(3))), key)
            case 4:
                try world.importLine(
                    who,
                    ["db1,db2", "db?", "*,!db2", "db2,[db1]:2222"][random.next(4)],
                    key
                )
            case 5:
                try act { (book, now) throws(SSHFormatError) in
                    _ = try book.replace(
                        nil,
                        for: name,
                        by: SyncWorld.hostKeys[key],
                        source: source,
                        at: now
                    )
                }
            case 6:
                try act { (book, now) throws(SSHFormatError) in _ = try book.remove(name, only: nil, at: now)
                }
            case 7:
                try act { (book, _) throws(SSHFormatError) in _ = try book.restore(name) }
            case 8 where random.next(4) == 0:
                try act { (book, now) throws(SSHFormatError) in
                    _ = try book.revoke(SyncWorld.hostKeys[key], for: HostPattern(name), at: now)
                }
            case 9:
                if let copy = copies[who], seed % 2 == 0 {
                    try world.restore(who, from: copy)
                } else {
                    copies[who] = try world.records(who)
                }
            default: try world.sync(who, sends: random.next(3) > 0)
            }
        }
        try world.everybody()
        try world.agree("seed \(seed)")
        // No act gave a host a second key, so no machine accepts two.
        for who in 0..<count {
            for host in hosts {
                let accepted = try world.accepted(who, host)
                #expect(accepted.count <= 1, "seed \(seed) \(host)")
            }
        }
        let before = world.line.count
        try world.everybody()
        #expect(world.line.count == before, "seed \(seed)")
    }
}
