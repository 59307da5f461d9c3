internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// The keys as they were in one snapshot, and what an act does to them.
struct KeyTurn: RecordTurn {
    /// How long the trash keeps a key, in seconds.
    static let keeping: UInt64 = 30 * 86_400

    private enum Plan {
        case put(RecordDraft)
        case erase
    }

    /// Unix seconds.
    let now: UInt64
    private let reader: any RecordReader
    private let entropy: Entropy
    private(set) var infos: [String: RecordInfo] = [:]
    /// Names by fingerprint.
    private var names: [String: String] = [:]
    private var plans: [String: Plan] = [:]
    /// Keys that have another name by this act: that name by the old one, and what each was under the new one.
    private var movedTo: [String: String] = [:]
    private var moved: [String: (info: RecordInfo, record: KeyRecord)] = [:]
    /// Host profiles that name a key which has another name now, with their revisions.
    private var hosts: [(draft: RecordDraft, revision: Revision)] = []

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.reader = reader
        self.now = now
        self.entropy = entropy
        do throws(StoreError) {
            // A damaged one is found by its name alone, and nothing is written over it.
            for info in try reader.survey(try RecordKind(SSHRecords.key)).records {
                infos[info.id.name] = info
                if let fingerprint = info.attributes["fingerprint"] { names[fingerprint] = info.id.name }
            }
        } catch {
            throw .store(error)
        }
    }

    /// What is known without opening a key, by name.
    var summaries: [KeySummary] {
        infos.values.map { KeySummary($0) }.sorted { $0.name < $1.name }
    }

    /// The key of a name, opened.
    ///
    /// - Throws: `unknownKey`; `keyInTrash` unless those are wanted, too.
    func key(_ name: String, inTrash: Bool = false) throws(VaultError) -> KeyRecord {
        guard let record = try find(name) else { throw .ssh(.unknownKey) }
        let key = try SSHRecords.key(record)
        guard inTrash || !key.isRemoved else { throw .ssh(.keyInTrash) }
        return key
    }

    /// The key with this public half, the trash included.
    func holder(of key: PublicKey) -> KeySummary? {
        names[key.fingerprint.description].flatMap { infos[$0] }.map { KeySummary($0) }
    }

    /// A name like this one that no key has.
    func freeName(like name: String) -> String {
        guard !isFree(name) else { return name }
        var number = 2
        while !isFree("\(name)-\(number)") { number += 1 }
        return "\(name)-\(number)"
    }

    /// Makes a name free: a key in the trash gives it up, any other does not.
    ///
    /// - Throws: `badKeyName`; `keyNameTaken`.
    mutating func claim(_ name: String) throws(VaultError) {
        guard KeyName.isValid(name) else { throw .ssh(.badKeyName) }
        guard !isFree(name) else { return }
        guard plans[name] == nil, let info = infos[name], KeySummary(info).removedAt != nil else {
            throw .ssh(.keyNameTaken)
        }
        try move(name, to: freeName(like: name), as: try key(name, inTrash: true))
    }

    /// Writes a new key under a name that was claimed.
    mutating func add(_ record: KeyRecord, named name: String) throws(VaultError) {
        var draft = try SSHRecords.draft(of: record, named: name)
        // The name may have belonged to another key a moment ago.
        draft.uid = entropy.bytes(RecordLimits.uid)
        draft.created = now * 1000
        plans[name] = .put(draft)
    }

    /// Writes a key anew under its own name.
    mutating func replace(_ name: String, by record: KeyRecord) throws(VaultError) {
        var draft = try SSHRecords.draft(of: record, named: name)
        if let info = moved[name]?.info {
            draft.uid = info.uid
            draft.created = info.created
        }
        plans[name] = .put(draft)
    }

    /// The name and the content that a key of the vault has by now, the trash included.
    func present(_ name: String) throws(VaultError) -> (name: String, record: KeyRecord) {
        if let other = movedTo[name], let record = moved[other]?.record { return (other, record) }
        return (name, try key(name, inTrash: true))
    }

    /// Makes a name free for another key: the one in use that has it is kept as retired.
    ///
    /// - Throws: `unknownKey`; `keyInTrash`.
    mutating func retire(_ name: String, for fresh: KeyImport) throws(VaultError) {
        var old = try key(name)
        old.state = .retired
        old.retiredAt = now
        old.related = try Self.parts(of: fresh).key.fingerprint.digest
        try move(name, to: freeName(like: name + "-retired"), as: old)
    }

    /// Gives a key another name; it stays the same record in all else.
    mutating func move(
        _ name: String,
        to other: String,
        as record: KeyRecord
    ) throws(VaultError) {
        guard let info = infos[name] else { throw .ssh(.unknownKey) }
        var draft = try SSHRecords.draft(of: record, named: other)
        draft.uid = info.uid
        draft.created = info.created
        plans[other] = .put(draft)
        plans[name] = .erase
        movedTo[name] = other
        moved[other] = (info, record)
    }

    /// Lets the host profiles that name a key, the trash included, name it by its new name.
    mutating func renameReferences(from name: String, to other: String) throws(VaultError) {
        do {
            let infos = try reader.list(
                try RecordKind(SSHRecords.host),
                where: try Attributes(["key": name])
            )
            for info in infos where !info.isNewer {
                guard let record = try reader.find(info.id) else { continue }
                var host = try SSHRecords.host(record)
                var fields = host.profile.fields
                fields.keyReference = other
                host.profile = try HostProfile(id: host.profile.id, fields)
                hosts.append((try SSHRecords.draft(of: host, named: info.id.name), info.revision))
            }
        } catch {
            throw VaultError(error)
        }
    }

    var renamings: [Renaming] {
        movedTo.map { old, new in
            Renaming(kind: SSHRecords.key, old: old, new: new, isOldTaken: !isFree(old))
        }
    }

    /// Keys that were in the trash long enough go along.
    func changes() -> ChangeSet? {
        guard !plans.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        for (draft, revision) in hosts { changes.put(draft, expecting: revision) }
        for (name, plan) in plans.sorted(by: { $0.key < $1.key }) {
            let info = infos[name]
            switch plan {
            case .put(let draft): changes.put(draft, expecting: info?.revision ?? 0)
            case .erase:
                if let info { changes.delete(info.id, expecting: info.revision) }
            }
        }
        let wiping = reader.wipingTime(at: now)
        for (name, info) in infos where plans[name] == nil && !info.isNewer {
            if let time = KeySummary(info).removedAt, time + Self.keeping < wiping {
                changes.delete(info.id, expecting: info.revision)
            }
        }
        return changes
    }

    private func isFree(_ name: String) -> Bool {
        switch plans[name] {
        case .put: false
        case .erase: true
        case nil: infos[name] == nil
        }
    }

    private func find(_ name: String) throws(VaultError) -> Record? {
        do throws(StoreError) {
            return try reader.find(try RecordID(SSHRecords.key, name))
        } catch {
            // No record has a name that none can have.
            guard error == .invalidRecord(.name) else { throw .store(error) }
            return nil
        }
    }
}
