import RecordStore
import Secrets
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// Vaults that share a log come to the same secrets, and nothing is lost without a word.
struct SyncTests {
    func set(
        _ world: SyncWorld,
        _ who: Int,
        _ name: String,
        _ value: String
    ) throws {
        try world.edit(who) { secrets, now in
            let field = try CredentialField("password", text: value)
            if var credential = try secrets.find(name) {
                try credential.add([field], at: now)
                credential.removedAt = nil
                try secrets.replace(name, by: credential)
            } else {
                try secrets.claim(name)
                try secrets.add(try Credential(.login, [field], at: now), named: name)
            }
        }
    }

    @Test func `a password goes over and back`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "db/prod", "one")
        try world.sync(0)
        #expect(try world.sync(1).received == 1)
        #expect(try world.list(1)["db/prod"]?.contains("password=one") == true)
        try set(world, 1, "db/prod", "two")
        try world.sync(1)
        try world.sync(0)
        #expect(try world.list(0)["db/prod"]?.contains("password=two") == true)
        try world.agree()
        // Nothing new: no entry, and no commit.
        let before = world.line.count
        try world.everybody()
        #expect(world.line.count == before)
    }

    @Test func `what an open vault knows of its log is what its records say`() throws {
        let world = try SyncWorld(machines: 2)
        for number in 0..<40 { try set(world, 0, "secret \(number)", "one") }
        try world.everybody()
        #expect(try world.wrongMemory(1).isEmpty)
        try set(world, 1, "secret 3", "two")
        try set(world, 1, "new", "one")
        try world.edit(1) { secrets, _ in try secrets.remove("secret 4") { _ in } }
        try set(world, 0, "secret 5", "three")
        try world.everybody()
        #expect(try world.wrongMemory(1).isEmpty)
        try world.agree()
        // Of a vault that fell back nothing is believed.
        let copy = try world.records(1)
        try set(world, 1, "secret 6", "four")
        try world.everybody()
        try world.restore(1, from: copy)
        try world.everybody()
        #expect(try world.wrongMemory(1).isEmpty)
        try world.agree()
    }

    @Test func `two values of one secret are a conflict, and both stay`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "a", "base")
        try world.everybody()
        try set(world, 0, "a", "first")
        world.time += 60
        try set(world, 1, "a", "second")
        try world.sync(0)
        #expect(try world.sync(1).conflicts == ["a"])
        try world.everybody()
        try world.agree()
        let list = try #require(try world.list(0)["a"])
        #expect(list.contains("first") && list.contains("password=second\"]"))
    }

    @Test func `two secrets of one name are two, and the later in the log gets another name`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "mail", "mine")
        try set(world, 1, "mail", "other")
        try world.sync(0)
        #expect(try world.sync(1).renamed == ["mail": "mail-2"])
        try world.everybody()
        try world.agree()
        #expect(try world.list(0)["mail"]?.contains("mine") == true)
        #expect(try world.list(0)["mail-2"]?.contains("other") == true)
    }

    @Test func `two secrets of one name and one value are one`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "mail", "same")
        try set(world, 1, "mail", "same")
        try world.sync(0)
        #expect(try world.sync(1).renamed.isEmpty)
        try world.everybody()
        try world.agree()
        #expect(try world.list(1).count == 1)
    }

    @Test
    func `a secret that was deleted elsewhere goes into the trash, and one that was changed here stays`()
        throws
    {
        let world = try SyncWorld(machines: 2)
        for name in ["a", "b"] { try set(world, 0, name, "1") }
        try world.everybody()
        try set(world, 1, "b", "2")
        try world.edit(0) { secrets, _ in
            try secrets.erase("a")
            try secrets.erase("b")
        }
        try world.sync(0)
        let report = try world.sync(1)
        #expect(report.removedElsewhere == ["b"])
        #expect(try world.list(1)["b"]?.contains("password=2") == true)
        try world.everybody()
        #expect(try world.list(0)["b"]?.contains("password=2") == true)
        #expect(try world.list(0, trash: true)["a"] == nil)
        #expect(try world.list(1, trash: true)["a"]?.contains(" 0 ") == false)
    }

    @Test func `two secrets that become one keep the versions of both`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "mail", "same")
        try set(world, 1, "mail", "older")
        world.time += 60
        try set(world, 1, "mail", "same")
        try world.sync(0)
        #expect(try world.sync(1).renamed.isEmpty)
        try world.everybody()
        try world.agree()
        let list = try world.list(0)
        #expect(list.count == 1 && list["mail"]?.contains("older") == true)
    }

    @Test func `a secret that was merged and then deleted before it was sent is deleted everywhere`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "a", "base")
        try world.everybody()
        try set(world, 0, "a", "first")
        try world.sync(0)
        try set(world, 1, "a", "second")
        _ = try world.step(1, gives: false)
        try world.edit(1) { secrets, _ in try secrets.erase("a") }
        try world.everybody()
        try world.agree()
        #expect(try world.list(0).isEmpty)
    }

    @Test func `a record that is damaged is not deleted on other machines`() throws {
        let world = try SyncWorld(machines: 2)
        for name in ["a", "b"] { try set(world, 0, name, "1") }
        try world.everybody()
        world.damage(1, try RecordID("secret", "a"))
        try set(world, 1, "b", "2")
        try world.sync(1)
        try world.sync(0)
        #expect(try world.list(0)["a"]?.contains("password=1") == true)
        #expect(try world.list(0)["b"]?.contains("password=2") == true)
    }

    @Test func `an entry that was made and not sent is sent as it is`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "a", "1")
        let first = try #require(try world.step(0).out)
        #expect(try world.step(0).out?.entries == first.entries)
        // Somebody was faster: it is made anew behind that.
        try set(world, 1, "b", "2")
        try world.sync(1)
        let second = try #require(try world.step(0).out)
        #expect(
            second.entries != first.entries && second.entries[0].head.place == first.entries[0].head.place + 1
        )
        try world.everybody()
        try world.agree()
        #expect(try world.list(1).count == 2)
    }

    @Test func `a secret that is local never leaves`() throws {
        let world = try SyncWorld(machines: 2)
        try world.edit(0) { secrets, now in
            var credential = try Credential(.login, [try CredentialField("password", text: "x")], at: now)
            try credential.setTags(["local"])
            try secrets.add(credential, named: "here")
        }
        try world.everybody()
        #expect(try world.list(1).isEmpty)
    }

    @Test func `what is too large for one create is named, and the rest goes on`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "large", String(repeating: "x", count: 1_000_000))
        try set(world, 0, "small", "1")
        let given = try world.read(0) { reader in
            var sync = try StoredLog(reader).map { log in
                try SyncTransaction(reader, log, now: world.time, entropy: .system)
            }
            return try sync?.give()
        }
        #expect(given == SyncTransaction.Given(count: 1, tooLarge: ["large"]))
        try world.everybody()
        #expect(try world.list(1).count == 1)
    }

    @Test(arguments: (1...60).map { ($0, 60) } + [(13, 1_000), (20, 1_000)])
    func `vaults with random edits, wrong clocks and restores come to the same`(
        seed: UInt64,
        rounds: Int
    ) throws {
        var random = SeededRandom(seed)
        let world = try SyncWorld(machines: 2 + Int(seed % 7))
        let count = world.machines.count
        for who in 0..<count { world.skew(who, Int64(random.next(20)) * 43_200 - 432_000) }
        var typed: Set<String> = []
        var copies: [Int: [RecordDraft]] = [:]
        for round in 0..<rounds {
            world.time += 37
            let who = random.next(count)
            let name = ["a", "b", "c", "db/prod"][random.next(4)]
            switch random.next(12) {
            case 0...4:
                try set(world, who, name, "\(seed)-\(round)")
                typed.insert("\(seed)-\(round)")
            case 5:
                try world.edit(who) { secrets, _ in
                    guard let found = try secrets.find(name), found.removedAt == nil else { return }
                    try secrets.remove(name)
                }
            case 6:
                try world.edit(who) { secrets, _ in
                    guard let found = try secrets.find(name), try secrets.isFree(name + "-x") else { return }
                    try secrets.move(name, to: name + "-x", as: found)
                }
            case 7: copies[who] = try world.records(who)
            case 8 where seed % 2 == 0:
                if let copy = copies[who] { try world.restore(who, from: copy) }
            default: try world.sync(who, sends: random.next(3) > 0)
            }
        }
        try world.everybody()
        try world.agree("seed \(seed)")
        // Without a restore every value that was typed is still somewhere, but for the oldest of more than ten.
        let lists = try (0..<count).flatMap { try world.list($0, trash: true).values }
        guard seed % 2 == 1, !lists.contains(where: { $0.split(separator: "password=").count > 10 }) else {
            return
        }
        let kept = lists.joined()
        #expect(typed.filter { !kept.contains("=\($0)\"") } == [], "seed \(seed)")
    }
}

/// Numbers that are the same for the same seed.
struct SeededRandom {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int((state >> 11) % UInt64(limit))
    }
}
