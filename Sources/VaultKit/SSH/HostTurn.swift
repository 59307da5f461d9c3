internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// The host profiles as they were in one snapshot, and what an act does to them.
struct HostTurn: RecordTurn {
    /// How long the trash keeps a profile, in seconds.
    private static let keeping: UInt64 = 30 * 86_400

    private struct Host {
        var record: HostRecord
        /// What it was before, perhaps under another name; nil for a new one.
        let origin: RecordInfo?
    }

    /// Unix seconds.
    let now: UInt64
    private let reader: any RecordReader
    private let entropy: Entropy
    private var infos: [String: RecordInfo] = [:]
    private var old: [String: HostRecord] = [:]
    private var hosts: [String: Host] = [:]
    /// Those that cannot be read: they keep their names, and are left alone.
    private var damaged: [String: StoreError] = [:]
    /// Whether there are profiles that this program cannot read: damaged ones, and those of a newer program.
    private(set) var isShort = false
    /// Keys that come in the same commit, which a profile may name.
    var arriving: Set<String> = []

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.reader = reader
        self.now = now
        self.entropy = entropy
        for info in try list() {
            infos[info.id.name] = info
            // What a newer program wrote keeps its name, and is left alone.
            guard !info.isNewer else {
                isShort = true
                continue
            }
            let found: Record?
            do throws(StoreError) {
                found = try reader.find(info.id)
            } catch {
                guard case .tampered(.record) = error else { throw .store(error) }
                damaged[info.id.name] = error
                isShort = true
                continue
            }
            guard let record = found else { continue }
            let host = try SSHRecords.host(record)
            old[info.id.name] = host
            hosts[info.id.name] = Host(record: host, origin: info)
        }
    }

    /// The profiles as they were before the act, by name.
    var summaries: [HostSummary] {
        old.compactMap { name, record in infos[name].map { HostSummary($0, record) } }
            .sorted { $0.name < $1.name }
    }

    /// The name of the default host.
    var defaultName: String? { hosts.first { $0.value.record.isDefault }?.key }

    /// The name under which a profile is stored, and its record.
    ///
    /// - Throws: `unknownHost`; `hostInTrash` unless those are wanted, too.
    func host(
        _ name: String,
        inTrash: Bool = false
    ) throws(VaultError) -> (name: String, record: HostRecord) {
        let name = name.lowercased()
        if let info = infos[name], info.isNewer { throw .store(.newerRecord) }
        if let error = damaged[name] { throw .store(error) }
        guard let host = hosts[name] else {
            try checkAbsent(name)
            throw .ssh(.unknownHost)
        }
        guard inTrash || !host.record.isRemoved else { throw .ssh(.hostInTrash) }
        return (name, host.record)
    }

    /// Adds a profile under a name that no other one has; the name as it is stored.
    ///
    /// One with the identifier of a profile in the trash is that one: it comes out, and says what this one says.
    ///
    /// - Throws: `hostNameTaken`; `hostInVault`; what the parts of a profile refuse.
    mutating func add(_ new: NewHost) throws(VaultError) -> String {
        let id = new.id ?? HostID(entropy)
        let (name, record): (String, HostRecord)
        do throws(SSHFormatError) {
            name = try HostRecord.name(new.name)
            try HostRecord.check(new.extras)
            record = HostRecord(try HostProfile(id: id, new.fields), extras: new.extras)
        } catch {
            throw .ssh(.format(error))
        }
        try checkKey(of: record.profile)
        var origin: RecordInfo?
        if let (old, same) = hosts.first(where: { $0.value.record.profile.id == id }) {
            guard same.record.isRemoved else { throw .ssh(.hostInVault) }
            origin = same.origin
            hosts[old] = nil
        }
        try claim(name)
        hosts[name] = Host(record: record, origin: origin)
        if new.isDefault { setDefault(name) }
        return name
    }

    /// Changes a profile; its name afterwards.
    ///
    /// - Throws: what `host` and `add` throw.
    mutating func change(_ name: String, _ change: HostChange) throws(VaultError) -> String {
        var (name, record) = try host(name)
        let before = record.profile
        do throws(SSHFormatError) {
            record.profile = try HostProfile(id: before.id, change.applied(to: before.fields))
        } catch {
            throw .ssh(.format(error))
        }
        if record.profile.keyReference != before.keyReference { try checkKey(of: record.profile) }
        put(record, at: name)
        guard let other = change.name else { return name }
        let wanted = try Self.checked(other)
        guard wanted != name else { return name }
        try claim(wanted)
        hosts[wanted] = hosts.removeValue(forKey: name)
        name = wanted
        return name
    }

    /// Lets a profile say what a new one says; it stays the profile that it is, and the default if it is that.
    ///
    /// - Returns: whether that is something else than before.
    /// - Throws: what `host` and `add` throw.
    mutating func update(_ name: String, by new: NewHost) throws(VaultError) -> Bool {
        var (name, record) = try host(name)
        let before = record
        do throws(SSHFormatError) {
            try HostRecord.check(new.extras)
            record.profile = try HostProfile(id: before.profile.id, new.fields)
        } catch {
            throw .ssh(.format(error))
        }
        record.extras = new.extras
        guard record != before else { return false }
        try checkKey(of: record.profile)
        put(record, at: name)
        return true
    }

    /// Whether another profile has a name; one in the trash gives it up.
    func isTaken(_ name: String) throws(VaultError) -> Bool {
        let name = try Self.checked(name)
        guard let holder = hosts[name] else { return infos[name]?.isNewer == true || damaged[name] != nil }
        return !holder.record.isRemoved
    }

    /// A name like this one that no profile has, not even in the trash.
    func freeName(like name: String) throws(VaultError) -> String {
        // Room for a number.
        let name = String(try Self.checked(name).prefix(HostRecord.longestName - 6))
        var number = 2
        while hosts["\(name)-\(number)"] != nil || infos["\(name)-\(number)"] != nil
            || damaged["\(name)-\(number)"] != nil
        { number += 1 }
        return "\(name)-\(number)"
    }

    /// Writes a profile anew under its own name.
    mutating func put(_ record: HostRecord, at name: String) {
        hosts[name]?.record = record
    }

    /// Says which host is meant when none is named; nil for none.
    mutating func setDefault(_ name: String?) {
        for other in hosts.keys { hosts[other]?.record.isDefault = other == name }
    }

    var renamings: [Renaming] {
        hosts.compactMap { name, host in
            guard let old = host.origin?.id.name, old != name else { return nil }
            return Renaming(kind: SSHRecords.host, old: old, new: name, isOldTaken: hosts[old] != nil)
        }
    }

    func changes() throws(VaultError) -> ChangeSet? {
        var changes = ChangeSet(floor: reader.floor)
        for (name, host) in hosts.sorted(by: { $0.key < $1.key }) {
            let isMoved = host.origin?.id.name != name
            guard isMoved || host.record != old[name] else { continue }
            var draft = try SSHRecords.draft(of: host.record, named: name)
            if isMoved {
                // The name may have belonged to another profile a moment ago.
                draft.uid = host.origin?.uid ?? entropy.bytes(RecordLimits.uid)
                draft.created = host.origin?.created ?? now * 1000
            }
            changes.put(draft, expecting: infos[name]?.revision ?? 0)
        }
        for (name, info) in infos.sorted(by: { $0.key < $1.key })
        where !info.isNewer && hosts[name] == nil && damaged[name] == nil {
            changes.delete(info.id, expecting: info.revision)
        }
        guard !changes.changes.isEmpty else { return nil }
        let touched = Set(changes.changes.map(\.id))
        let wiping = reader.wipingTime(at: now)
        for (name, host) in hosts {
            guard let time = host.record.removedAt, time + Self.keeping < wiping, let info = infos[name],
                !touched.contains(info.id)
            else { continue }
            changes.delete(info.id, expecting: info.revision)
        }
        return changes
    }

    /// Makes a name free: a profile in the trash gives it up, any other does not.
    private mutating func claim(_ name: String) throws(VaultError) {
        guard let holder = hosts[name] else {
            if let error = damaged[name] { throw .store(error) }
            guard infos[name]?.isNewer != true else { throw .ssh(.hostNameTaken) }
            return
        }
        guard holder.record.isRemoved else { throw .ssh(.hostNameTaken) }
        var number = 2
        while hosts["\(name)-\(number)"] != nil || infos["\(name)-\(number)"]?.isNewer == true
            || damaged["\(name)-\(number)"] != nil
        { number += 1 }
        hosts["\(name)-\(number)"] = holder
        hosts[name] = nil
    }

    private static func checked(_ name: String) throws(VaultError) -> String {
        do throws(SSHFormatError) {
            return try HostRecord.name(name)
        } catch {
            throw .ssh(.format(error))
        }
    }

    /// Refuses a reference to a key that is not there.
    private func checkKey(of profile: HostProfile) throws(VaultError) {
        guard let name = profile.keyReference, !arriving.contains(name) else { return }
        guard KeyName.isValid(name), let id = try? RecordID(SSHRecords.key, name) else {
            throw .ssh(.unknownKey)
        }
        do {
            guard let info = try reader.info(id) else { throw VaultError.ssh(.unknownKey) }
            guard info.attributes["removed"] == nil else { throw VaultError.ssh(.keyInTrash) }
        } catch {
            throw VaultError(error)
        }
    }

    /// Refuses a name that is absent from the list because its record cannot be read.
    private func checkAbsent(_ name: String) throws(VaultError) {
        guard infos[name] == nil, let id = try? RecordID(SSHRecords.host, name) else { return }
        do throws(StoreError) {
            _ = try reader.info(id)
        } catch {
            throw .store(error)
        }
    }

    private mutating func list() throws(VaultError) -> [RecordInfo] {
        do throws(StoreError) {
            let survey = try reader.survey(try RecordKind(SSHRecords.host))
            isShort = !survey.damaged.isEmpty
            for record in survey.damaged where record.kind == SSHRecords.host {
                if let name = record.name { damaged[name] = .tampered(.record(record)) }
            }
            return survey.records
        } catch {
            throw .store(error)
        }
    }
}
