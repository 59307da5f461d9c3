import RecordStore
import SSHFormats
import Secrets
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// Vaults that share a log come to the same SSH keys and host profiles.
struct SyncSSHTests {
    @Test func `a key and its host go over and back`() throws {
        let world = try SyncWorld(machines: 2)
        try world.addKey(0, "work", 1)
        try world.addHost(0, "db1", key: "work")
        try world.sync(0)
        #expect(try world.sync(1).received == 2)
        try world.agree()
        #expect(try world.keys(1).count == 1 && world.reference(1, "db1") == "work")
        try world.edit(1, HostTransaction.self) { hosts, _ in
            _ = try hosts.change("db1", SyncWorld.change(name: "db2"))
        }
        try world.renameKey(1, "work", to: "office")
        try world.everybody()
        try world.agree()
        #expect(try world.reference(0, "db2") == "office")
        let before = world.line.count
        try world.everybody()
        #expect(world.line.count == before)
    }

    @Test func `a key and a host that stay on their machine are on no other`() throws {
        let world = try SyncWorld(machines: 2)
        func stays(_ name: String) throws {
            try world.edit(0, KeyTransaction.self) { keys, _ in
                var record = try keys.open(name)
                record.use.isLocal = true
                try keys.replace(name, by: record)
            }
        }
        try world.addKey(0, "work", 1)
        try world.addKey(0, "own", 2)
        try stays("own")
        var host = SyncWorld.host("db1", key: "work")
        host.isLocal = true
        let local = host
        try world.edit(0, HostTransaction.self) { hosts, _ in _ = try hosts.add(local) }
        try world.sync(0)
        #expect(try world.sync(1).received == 1)
        #expect(try world.keys(1).count == 1 && world.hosts(1).isEmpty)
        // A shared key that becomes local stays with the others as it was, and is deleted nowhere.
        try stays("work")
        try world.renameKey(0, "work", to: "office")
        try world.everybody()
        #expect(try world.keys(1).count == 1)
        // Its name in the log is taken, also for this machine.
        try world.addKey(0, "work", 3)
        #expect(try world.sync(0).renamed == ["work": "work-2"])
        try world.everybody()
        #expect(try world.keys(1).keys.sorted() == ["work", "work-2"])
    }

    @Test func `two keys of one name are two, and each host keeps its own key`() throws {
        let world = try SyncWorld(machines: 3)
        for who in [0, 1] {
            try world.addKey(who, "work", UInt8(who + 1))
            try world.addHost(who, "db\(who)", key: "work")
        }
        try world.sync(0)
        #expect(try world.sync(1).renamed == ["work": "work-2"])
        #expect(try world.reference(1, "db0") == "work" && world.reference(1, "db1") == "work-2")
        try world.everybody()
        try world.agree()
        for who in 0..<3 {
            #expect(try world.reference(who, "db0") == "work" && world.reference(who, "db1") == "work-2")
        }
    }

    @Test func `a host that no other machine has follows a key that was renamed elsewhere`() throws {
        let world = try SyncWorld(machines: 2)
        try world.addKey(0, "work", 1)
        try world.everybody()
        try world.addHost(1, "here", key: "work")
        try world.renameKey(0, "work", to: "office")
        try world.addKey(0, "work", 2)
        try world.sync(0)
        try world.sync(1)
        #expect(try world.reference(1, "here") == "office")
        try world.everybody()
        try world.agree()
        #expect(try world.reference(0, "here") == "office")
    }

    @Test func `a host that arrives names its key by the name that this machine gave it`() throws {
        let world = try SyncWorld(machines: 2)
        try world.addKey(0, "work", 1)
        try world.everybody()
        try world.renameKey(1, "work", to: "office")
        try world.addKey(1, "work", 2)
        try world.addHost(0, "db1", key: "work")
        try world.sync(0)
        try world.sync(1)
        #expect(try world.reference(1, "db1") == "office")
        try world.everybody()
        try world.agree()
        #expect(try world.reference(0, "db1") == "office")
    }

    @Test func `the default host is a choice of each machine`() throws {
        let world = try SyncWorld(machines: 2)
        try world.addHost(0, "db1", 1)
        try world.addHost(0, "db2", 2)
        try world.everybody()
        try world.edit(0, HostTransaction.self) { hosts, _ in try hosts.setDefault("db1") }
        try world.edit(1, HostTransaction.self) { hosts, _ in try hosts.setDefault("db2") }
        try world.everybody()
        try world.edit(0, HostTransaction.self) { hosts, _ in
            _ = try hosts.change("db2", SyncWorld.change(user: "me"))
        }
        try world.everybody()
        try world.agree()
        #expect(try world.defaults(0) == ["db1"] && world.defaults(1) == ["db2"])
        // In the trash nothing is the default, also if it was deleted elsewhere for good.
        try world.edit(0, HostTransaction.self) { hosts, _ in try hosts.erase("db2") }
        try world.everybody()
        #expect(try world.defaults(0) == ["db1"] && world.defaults(1) == [])
    }

    @Test func `two profiles that say the same are one`() throws {
        let world = try SyncWorld(machines: 2)
        try world.addHost(0, "db1", 1)
        try world.addHost(1, "db1", 2)
        try world.edit(1, HostTransaction.self) { hosts, _ in try hosts.setDefault("db1") }
        try world.sync(0)
        #expect(try world.sync(1).renamed.isEmpty)
        try world.everybody()
        try world.agree()
        #expect(try world.hosts(0).count == 1 && world.defaults(1) == ["db1"])
    }

    @Test func `a private half that nothing can check stays on each machine, and is said`() throws {
        let world = try SyncWorld(machines: 2)
        func half(_ who: Int) throws -> [UInt8] {
            try world.read(who) { reader in
                try reader.opened(KeyRecord.self, "token").content.key.wire().withBytes { $0.copied() }
            }
        }
        for who in [0, 1] {
            let key = try opaque("half \(who)")
            try world.edit(who, KeyTransaction.self) { keys, _ in
                try keys.add(KeyRecord(key, origin: .openSSH), named: "token")
            }
        }
        let halves = try [half(0), half(1)]
        try world.sync(0)
        #expect(try world.sync(1).conflicts == ["token"])
        try world.edit(1, KeyTransaction.self) { keys, _ in
            var record = try keys.open("token")
            record.key.comment = Array("new".utf8)
            try keys.replace("token", by: record)
        }
        try world.sync(1)
        #expect(try world.sync(0).conflicts == ["token"])
        try world.everybody()
        #expect(try half(0) == halves[0] && half(1) == halves[1])
        for who in [0, 1] {
            let comment = try world.read(who) { try $0.opened(KeyRecord.self, "token").content.key.comment }
            #expect(comment == Array("new".utf8))
        }
        let before = world.line.count
        try world.everybody()
        #expect(try world.line.count == before && world.digest(0) == world.digest(1))
    }

    private func opaque(_ rest: String) throws -> PrivateKey {
        var (blob, wire) = (WireWriter(), WireWriter())
        blob.string("x-test@example")
        blob.string("public")
        wire.string("x-test@example")
        wire.raw(Array(rest.utf8))
        let half = try Secret(copying: wire.bytes)
        return try PrivateKey(wire: half, publicKey: try PublicKey(blob: blob.bytes, comment: []))
    }

    @Test func `a record of a newer program is neither shared nor replaced`() throws {
        let world = try SyncWorld(machines: 2)
        let newer = try Secret(copying: [9, 9, 9])
        let print = try PrivateKey.ed25519(entropy: .seeded([7])).publicKey.fingerprint.description
        for (kind, attributes) in [
            ("ssh.key", ["fingerprint": print]), ("ssh.host", ["id": "\(HostID(.seeded([5])))"]),
            ("secret", [:]),
        ] {
            let id = try RecordID(kind, "work")
            try world.write(1, RecordDraft(id: id, attributes: try Attributes(attributes), body: newer))
        }
        try world.addKey(0, "work", 1)
        try world.addKey(0, "same", 7)
        try world.addHost(0, "work", key: "work")
        try world.edit(0) { secrets, now in
            let field = try CredentialField("password", text: "x")
            try secrets.add(try Credential(.login, [field], at: now), named: "work")
        }
        try world.everybody()
        #expect(try world.digest(0) == world.digest(1) && world.keys(0).count == 2)
        #expect(try world.kept(0) == 0 && world.kept(1) == 3)
        for kind in ["ssh.key", "ssh.host", "secret"] {
            let body = try world.read(1) { try $0.find(try RecordID(kind, "work"))?.body }
            #expect(body.map { ConstantTime.equal($0, newer) } == true)
        }
        // The name is free: what was kept aside becomes a record.
        try world.edit(1, KeyTransaction.self) { keys, _ in try keys.erase("work") }
        try world.addHost(0, "more")
        try world.everybody()
        #expect(try world.kept(1) == 2 && world.keys(1)["work"] == world.keys(0)["work"])
    }

    @Test func `an entry whose content is no key is kept aside and stops nothing`() throws {
        let world = try SyncWorld(machines: 2)
        let blob = try PrivateKey.ed25519(entropy: .seeded([7])).publicKey.blob
        var writer = WireWriter()
        writer.raw([1, 0, 0, 0] + [UInt8](repeating: 0, count: 12))
        writer.string([UInt8]())
        writer.string(blob)
        writer.string("rest")
        let object = try SharedObject(
            kind: SharedKind.sshKey.rawValue,
            id: ObjectID(of: .sshKey, Hash.sha256(blob)),
            name: "work",
            content: try Secret(copying: writer.bytes)
        )
        try world.say(0, [.put(object)])
        try world.addKey(1, "work", 1)
        try world.addHost(1, "db1", key: "work")
        #expect(try world.sync(1).renamed == ["work": "work-2"])
        #expect(try world.reference(1, "db1") == "work-2")
        try world.everybody()
        try world.agree()
        #expect(try world.kept(0) == 1 && world.kept(1) == 1 && world.keys(0)["work-2"] != nil)
    }

    @Test func `a damaged record blocks its name and nothing else`() throws {
        let world = try SyncWorld(machines: 2)
        try world.addKey(1, "work", 1)
        world.damage(1, try RecordID("ssh.key", "work"))
        try world.addKey(0, "work", 2)
        try world.addKey(0, "other", 3)
        try world.everybody()
        #expect(try world.keys(1)["other"] != nil && world.kept(1) == 1)
        #expect(try world.digest(0) == world.digest(1))
    }

    @Test(arguments: 1...40)
    func `vaults with random keys and hosts come to the same`(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let world = try SyncWorld(machines: 2 + Int(seed % 4))
        let count = world.machines.count
        var copies: [Int: [RecordDraft]] = [:]
        for who in 0..<count { world.skew(who, Int64(random.next(20)) * 43_200 - 432_000) }
        for _ in 0..<60 {
            world.time += 37
            let who = random.next(count)
            let name = ["a", "b", "c"][random.next(3)]
            let other = ["a", "b", "c", "d"][random.next(4)]
            switch random.next(14) {
            case 0, 1: try world.addKey(who, name, UInt8(random.next(5)))
            case 2: do { try world.renameKey(who, name, to: other) } catch is VaultError {}
            case 3:
                try world.attempt(who, KeyTransaction.self) { keys, _ in
                    var record = try keys.open(name)
                    record.use.needsConfirmation.toggle()
                    record.use.lifetime = UInt32(seed)
                    try keys.replace(name, by: record)
                }
            case 4: try world.attempt(who, KeyTransaction.self) { keys, _ in try keys.remove(name) }
            case 5: try world.attempt(who, KeyTransaction.self) { keys, _ in try keys.restore(name) }
            case 6, 7:
                let new = SyncWorld.host(name, UInt8(random.next(5)), key: random.next(2) == 0 ? nil : other)
                try world.attempt(who, HostTransaction.self) { hosts, _ in _ = try hosts.add(new) }
            case 8:
                let change = SyncWorld.change(name: other, user: "u\(random.next(3))")
                try world.attempt(who, HostTransaction.self) { hosts, _ in _ = try hosts.change(name, change)
                }
            case 9:
                let isGone = random.next(2) == 0
                try world.attempt(who, HostTransaction.self) { hosts, _ in
                    if isGone {
                        try hosts.remove(name) { $0.isDefault = false }
                    } else {
                        try hosts.restore(name)
                    }
                }
            case 10:
                try world.attempt(who, HostTransaction.self) { hosts, _ in try hosts.setDefault(name) }
            case 11:
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
        for who in 0..<count {
            #expect(try world.kept(who) == 0 && world.defaults(who).count <= 1, "seed \(seed)")
        }
    }
}
