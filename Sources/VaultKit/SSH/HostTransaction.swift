internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

typealias HostTransaction = NamedRecordTransaction<HostRecord>

extension HostTransaction {
    /// Adds a profile under a name that no other profile has.
    ///
    /// If a profile with this identifier is in the trash, it is restored with the new content.
    ///
    /// - Parameters:
    ///   - new: the profile; if it has no identifier, it gets a new one.
    ///   - arriving: the names of keys that the same commit adds, which the profile may name.
    /// - Returns: the name as it is stored.
    /// - Throws: `hostNameTaken`; `hostInVault`; `unknownKey` or `keyInTrash` for the key that the profile names; the errors
    ///   of the parts of a profile.
    mutating func add(_ new: NewHost, arriving: Set<String> = []) throws -> String {
        let id = new.id ?? HostID(entropy)
        let name = try HostRecord.name(new.name)
        try HostRecord.check(new.extras)
        var record = HostRecord(try HostProfile(id: id, new.fields), extras: new.extras)
        record.isLocal = new.isLocal
        try checkKey(of: record.profile, arriving)
        if let old = try self.name(of: id.description), let same = try readable(old) {
            guard same.isRemoved else { throw SSHVaultError.hostInVault }
            if old != name { try claim(name) }
            try move(old, to: name, as: record)
        } else {
            try claim(name)
            try add(record, named: name)
        }
        if new.isDefault { try setDefault(name) }
        return name
    }

    /// Changes a profile, and returns its new name.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`; the errors of `add`.
    mutating func change(_ name: String, _ change: HostChange) throws -> String {
        let name = name.lowercased()
        let before = try open(name)
        var record = before
        record.profile = try HostProfile(
            id: before.profile.id,
            change.applied(to: before.profile.fields)
        )
        let other = try change.name.map { try HostRecord.name($0) } ?? name
        if record.profile.keyReference != before.profile.keyReference { try checkKey(of: record.profile) }
        if let isLocal = change.isLocal { record.isLocal = isLocal }
        if other != name { try claim(other) }
        if other != name || record != before { try move(name, to: other, as: record) }
        return other
    }

    /// Replaces the content of a profile by the content of a new one; it keeps its identifier and stays the default.
    ///
    /// - Returns: whether anything changed.
    /// - Throws: the errors of `change`.
    mutating func update(_ name: String, by new: NewHost, arriving: Set<String>) throws -> Bool {
        let before = try open(name)
        var record = before
        try HostRecord.check(new.extras)
        record.profile = try HostProfile(id: before.profile.id, new.fields)
        record.extras = new.extras
        guard record != before else { return false }
        try checkKey(of: record.profile, arriving)
        try replace(name, by: record)
        return true
    }

    /// Sets the default host, which is used if no host is named; nil for none.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    mutating func setDefault(_ name: String?) throws {
        let name = name?.lowercased()
        if let name { _ = try open(name) }
        for other in try allNames() {
            let wasDefault = try attributes(other)?["default"] != nil
            guard wasDefault || other == name else { continue }
            guard var record = try readable(other), record.isDefault != (other == name) else { continue }
            record.isDefault = other == name
            try replace(other, by: record)
        }
    }

    /// Refuses a reference to a key that does not exist.
    private func checkKey(of profile: HostProfile, _ arriving: Set<String> = []) throws {
        guard let name = profile.keyReference, !arriving.contains(name) else { return }
        guard KeyName.isValid(name), let id = KeyRecord.id(name) else { throw SSHVaultError.unknownKey }
        guard let info = try reader.info(id) else { throw SSHVaultError.unknownKey }
        guard info.attributes.removedAt == nil else { throw SSHVaultError.keyInTrash }
    }
}

extension RecordReader {
    /// The host profiles by name, also from the trash.
    ///
    /// - Returns: the profiles, and whether some are missing because they are damaged or from a newer program.
    func hostProfiles() throws -> (all: [HostSummary], isShort: Bool) {
        let survey = try survey(HostRecord.self)
        var (all, isShort) = ([HostSummary](), !survey.damaged.isEmpty)
        for info in survey.records {
            do {
                guard let host = try found(HostRecord.self, info.id.name)?.content else { continue }
                all.append(HostSummary(info, host))
            } catch StoreError.newerRecord, StoreError.tampered(.record) {
                isShort = true
            }
        }
        return (all, isShort)
    }
}

/// Converts a host profile from and to its record (Schemas/ssh-records.md).
extension HostRecord: NamedRecord {
    static let recordKind = "ssh.host"
    static let identity: String? = "id"
    static let isPurgedByEveryChange = true
    static let refusals = NameRefusals(
        unknown: .ssh(.unknownHost),
        inTrash: .ssh(.hostInTrash),
        taken: .ssh(.hostNameTaken),
        bad: .ssh(.format(.badHostName))
    )

    /// Whether a name is valid and in its stored form.
    static func isName(_ name: String) -> Bool { (try? self.name(name)) == name }

    init(body: Secret) throws { try self.init(content: body.withBytes { $0.copied() }) }

    func body() throws -> Secret { try Secret(copying: try content()) }

    func attributes() throws -> Attributes {
        var pairs = [
            "id": profile.id.description,
            "address": profile.address.lookup,
            "user": profile.user,
        ]
        pairs["key"] = profile.keyReference
        pairs["removed"] = removedAt.map { String($0) }
        if isDefault { pairs["default"] = "yes" }
        return try Attributes(pairs)
    }
}
