import RecordStore
import SSHFormats
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// SSH keys and hosts of the vaults that share a log.
extension SyncWorld {
    /// The keys, the trash included: name, state, use and trash.
    func keys(_ who: Int) throws -> [String: String] {
        try named(who, KeyRecord.self) { info, record in
            let use = "\(record.use.needsConfirmation) \(record.use.lifetime) \(record.use.hosts)"
            let state = "\(record.state) \(record.retiredAt ?? 0) \(record.removedAt ?? 0)"
            let half = try record.key.wire().withBytes { Hash.sha256($0.copied()) }
            let key = "\(record.publicKey.fingerprint) \(record.key.comment) \(half)"
            return "\(key) \(state) \(use) \(info.created)"
        }
    }

    /// The host profiles, the trash included, without what is said on one machine alone.
    func hosts(_ who: Int) throws -> [String: String] {
        try named(who, HostRecord.self) { info, record in
            "\(record.profile) \(record.extras) \(record.removedAt ?? 0) \(info.created)"
        }
    }

    /// The default host of a machine.
    func defaults(_ who: Int) throws -> [String] {
        try read(who) { reader in try reader.hostProfiles().all.filter(\.isDefault).map(\.name) }
    }

    /// The reference of a host to its key.
    func reference(_ who: Int, _ host: String) throws -> String? {
        try read(who) { reader in
            try reader.opened(HostRecord.self, host, inTrash: true).content.profile.keyReference
        }
    }

    private func named<Content: NamedRecord>(
        _ who: Int,
        _: Content.Type,
        _ describe: (RecordInfo, Content) throws -> String
    ) throws -> [String: String] {
        try read(who) { reader in
            let index = try StoredLog(reader)?.index
            var records: [String: String] = [:]
            for info in try reader.survey(Content.self).records where !info.isNewer {
                let (_, content) = try reader.opened(Content.self, info.id.name, inTrash: true)
                let id = Content.self == KeyRecord.self ? SharedKey.id(of: info) : SharedHost.id(of: info)
                // A record that was put into the trash before it was ever shared stays on its machine.
                guard content.removedAt == nil || id.flatMap({ index?[$0] }) != nil else { continue }
                records[info.id.name] = try describe(info, content)
            }
            return records
        }
    }

    /// Imports a key, as from a file.
    func addKey(_ who: Int, _ name: String, _ seed: UInt8) throws {
        let key = try PrivateKey.ed25519(comment: Array("me".utf8), entropy: .seeded([seed]))
        try edit(who, KeyTransaction.self) { keys, _ in
            _ = try keys.take(KeyImport(KeyRecord(key, origin: .openSSH), named: name))
        }
    }

    /// Gives a key another name; host profiles that name it follow it.
    func renameKey(_ who: Int, _ name: String, to other: String) throws {
        try edit(who, KeyTransaction.self) { keys, _ in
            let record = try keys.open(name)
            try keys.claim(other)
            try keys.rename(name, to: other, as: record)
        }
    }

    /// Adds a host profile.
    func addHost(_ who: Int, _ name: String, _ number: UInt8? = nil, key: String? = nil) throws {
        try edit(who, HostTransaction.self) { hosts, _ in
            _ = try hosts.add(Self.host(name, number, key: key))
        }
    }

    static func change(name: String? = nil, user: String? = nil) -> HostChange {
        var change = HostChange()
        (change.name, change.user) = (name, user)
        return change
    }

    static func host(_ name: String, _ number: UInt8? = nil, key: String? = nil) -> NewHost {
        NewHost(
            name: name,
            fields: HostProfile.Fields(
                label: name,
                host: "\(name).example",
                user: "root",
                authentication: key == nil ? "password" : "key",
                keyReference: key
            ),
            id: number.flatMap { HostID(bytes: [UInt8](repeating: $0, count: 16)) }
        )
    }
}

extension SyncWorld {
    /// Lets all machines read and send until nothing is new.
    func everybody() throws {
        for _ in 0..<3 { for who in machines.indices { try sync(who) } }
    }

    /// Expects the same records and the same state on all machines.
    func agree(_ comment: Comment? = nil) throws {
        for read in [{ try $0.list($1) }, { try $0.keys($1) }, { try $0.hosts($1) }, { try $0.lines($1) }]
            as [(SyncWorld, Int) throws -> [String: String]]
        {
            let list = try read(self, 0)
            for who in machines.indices.dropFirst() {
                let other = try read(self, who)
                let differing = Set(list.keys).union(other.keys).filter { list[$0] != other[$0] }.sorted()
                    .map { "\($0): \(list[$0] ?? "-") | \(other[$0] ?? "-")" }
                #expect(differing == [], comment)
            }
        }
        for who in machines.indices { #expect(try digest(who) == digest(0), comment) }
        for who in machines.indices where machines[who].memory.objects != nil {
            #expect(try wrongMemory(who) == [], comment)
        }
    }

    /// Lets a machine say something that its program would not.
    func say(_ who: Int, _ operations: [LogOperation]) throws {
        let changes = try read(who) { reader in
            guard var stored = try StoredLog(reader), let book = stored.book else {
                throw LogError(.notAllowed)
            }
            let signer = EntrySigner(
                keys: machines[who].keys,
                time: time * 1_000,
                generation: reader.generation,
                entropy: .system
            )
            let out = LogOut(try book.change(operations, signer), revisions: [:])
            stored.out = out
            line += out.entries.map(\.bytes)
            return ChangeSet(floor: reader.floor, changes: try stored.changes())
        }
        _ = try machines[who].store.commit(changes)
    }

    /// The objects that a machine keeps aside.
    func kept(_ who: Int) throws -> Int { try read(who) { try StoredLog($0)?.kept.count ?? 0 } }

    /// Commits records as another program would.
    func write(_ who: Int, _ drafts: RecordDraft...) throws {
        var changes = ChangeSet(floor: 0)
        for draft in drafts { changes.put(draft, expecting: 0) }
        _ = try machines[who].store.commit(changes)
    }
}

/// The known hosts of the vaults that share a log.
extension SyncWorld {
    /// Ed25519 keys, and as the last one an ECDSA key.
    static let hostKeys: [PublicKey] = {
        let some = (0..<4).compactMap { try? PrivateKey.ed25519(entropy: .seeded([$0])).publicKey }
        return some + [try? PrivateKey.ecdsa(.p256, entropy: .seeded([9])).publicKey].compactMap(\.self)
    }()

    func book(_ who: Int) throws -> HostKeyBook {
        try read(who) { try HostKeyTransaction($0, now: self.time, entropy: .system).book }
    }

    /// The keys that ssh accepts for a host.
    func accepted(_ who: Int, _ host: String = "db1") throws -> [Int] {
        let (book, name) = (try book(who), try HostName(lookup: host))
        return Self.hostKeys.indices.filter { key in
            book.check(Self.hostKeys[key], for: name, at: time).verdict.isTrusted
        }
    }

    /// Trusts a key, as a person or the first connection does.
    func trust(
        _ who: Int,
        _ keys: Int...,
        host: String = "db1",
        by source: HostKeySource = .firstUse,
        additional: Bool = false
    ) throws {
        let (name, keys) = (try HostName(lookup: host), keys.map { Self.hostKeys[$0] })
        try edit(who, HostKeyTransaction.self) { known, now in
            _ = try known.act { (book) throws(SSHFormatError) in
                try book.trust(keys, for: name, source: source, additional: additional, at: now)
            }
        }
    }

    /// Imports a line of names with a key.
    func importLine(_ who: Int, _ names: String, _ key: Int) throws {
        let line = Array(names.utf8) + [0x20] + Self.hostKeys[key].typeAndBase64 + [0x0A]
        try edit(who, HostKeyTransaction.self) { known, now in
            _ = try known.act { (book) throws(SSHFormatError) in
                try book.take(KnownHostsFile(line), conflicts: .leave, at: now)
            }
        }
    }

    /// A host's name, hashed.
    static func hashed(_ host: String, salt: UInt8 = 1) throws -> String {
        let salt = [UInt8](repeating: salt, count: 20)
        let pattern = try HostPattern(hashing: try HostName(lookup: host), salt: salt)
        return String(decoding: pattern.text, as: UTF8.self)
    }

    /// The lines by their texts, without what is known on one machine alone.
    func lines(_ who: Int) throws -> [String: String] {
        let index = try read(who) { try StoredLog($0)?.index }
        var lines: [String: String] = [:]
        for (id, line) in SharedHostKey.lines(of: try book(who)) {
            guard !line.isRemoved || index?[id] != nil else { continue }
            let entry = line.entry
            let seen = entry.mayWait ? 0 : entry.firstSeen
            lines[String(decoding: entry.line.text, as: UTF8.self)] =
                "\(entry.state) \(entry.source) \(entry.isUncompared) \(seen)"
        }
        return lines
    }
}
