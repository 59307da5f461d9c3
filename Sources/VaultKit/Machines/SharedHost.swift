internal import RecordStore
internal import SSHFormats
internal import SharedLog
internal import VaultCrypto

/// An SSH host profile as machines share it (Schemas/machines.md section 6): a record of the vault, or an object of the log.
///
/// Which host is the default is a choice of each machine, and no object says it.
struct SharedHost: SharedRecord {
    static let kind = SharedKind.sshHost
    let name: String
    /// When it was made, in milliseconds.
    let created: UInt64
    let record: HostRecord

    var content: HostRecord { record }

    static func id(of info: RecordInfo) -> ObjectID? {
        info.attributes["id"].flatMap { try? HostID($0) }.map { ObjectID(digest: $0.bytes) }
    }

    /// A profile of the vault.
    init(_ info: RecordInfo, _ record: HostRecord) { self.init(info.id.name, info.created, record) }

    /// A profile of the vault, by its parts; nil for a profile that stays on its machine.
    init?(_ id: ObjectID, _ name: String, created: UInt64, _ record: HostRecord) {
        guard !record.isLocal else { return nil }
        self.init(name, created, record)
    }

    /// A profile of the log; nil for an object that no record can be made of.
    init?(_ object: SharedObject) {
        guard object.sharedKind == .sshHost, HostRecord.isName(object.name),
            let record = try? HostRecord(body: object.content), !record.isLocal
        else { return nil }
        self.init(object.name, object.created, record)
        guard object.isSame(as: try? self.object()) else { return nil }
    }

    private init(_ name: String, _ created: UInt64, _ record: HostRecord) {
        (self.name, self.created, self.record) = (name, created, record)
    }

    /// The object id of the profile in the log.
    var id: ObjectID { ObjectID(digest: record.profile.id.bytes) }

    /// The profile as an object of the log.
    ///
    /// - Throws: `SSHFormatError`; `LogError`.
    func object() throws -> SharedObject {
        var shared = record
        shared.isDefault = false
        return try SharedObject(
            kind: SharedKind.sshHost.rawValue,
            id: id,
            created: created,
            name: name,
            content: try shared.body()
        )
    }

    /// The digests for an index.
    var digests: [RegisterDigest] {
        let fields = record.profile.fields
        return [
            name.registerDigest, removedAt.registerDigest, fields.label.registerDigest,
            fields.place.registerDigest, fields.user.registerDigest, fields.login.registerDigest,
            (fields.passwordReference ?? "").registerDigest, fields.uploadPath.registerDigest,
            (fields.hostKeyAlias ?? "").registerDigest, record.extraTexts.registerDigest,
        ]
    }

    private var removedAt: UInt32 { UInt32(clamping: record.removedAt ?? 0) }

    /// Merges the change of this machine with the change in the log: field by field, the log's if both changed one.
    ///
    /// - Parameters:
    ///   - log: The profile in the log.
    ///   - base: The registers that both sides had last; none for a profile that both machines got
    ///     independently.
    /// - Returns: the merged profile, which stays the default host if it is that here, and whether both sides
    ///   changed a part that a person set.
    /// - Throws: `SSHFormatError` for a result that cannot be written.
    func merged(with log: SharedHost, base: [RegisterDigest]) throws -> (host: SharedHost, isConflict: Bool) {
        let (mine, theirs) = (record.profile.fields, log.record.profile.fields)
        var merge = RegisterMerge(base: base)
        var fields = theirs
        // In the order of the digests.
        let name = merge.pick(name, log.name)
        let bothRemoved = removedAt > 0 && log.removedAt > 0
        let removed = merge.pick(removedAt, log.removedAt, losesNothing: bothRemoved)
        fields.label = merge.pick(mine.label, theirs.label)
        if merge.pick(mine.place, theirs.place) == mine.place {
            (fields.host, fields.port) = (mine.host, mine.port)
        }
        fields.user = merge.pick(mine.user, theirs.user)
        if merge.pick(mine.login, theirs.login) == mine.login {
            (fields.authentication, fields.keyReference) = (mine.authentication, mine.keyReference)
        }
        let password = merge.pick(mine.passwordReference ?? "", theirs.passwordReference ?? "")
        fields.passwordReference = password.isEmpty ? nil : password
        fields.uploadPath = merge.pick(mine.uploadPath, theirs.uploadPath)
        let alias = merge.pick(mine.hostKeyAlias ?? "", theirs.hostKeyAlias ?? "")
        fields.hostKeyAlias = alias.isEmpty ? nil : alias
        let extras = merge.pick(record.extraTexts, log.record.extraTexts)
        var result = HostRecord(
            try HostProfile(id: record.profile.id, fields),
            extras: extras == record.extraTexts ? record.extras : log.record.extras
        )
        result.removedAt = removed == 0 ? nil : UInt64(removed)
        result.isDefault = record.isDefault && !result.isRemoved
        return (SharedHost(name, min(created, log.created), result), merge.hasLoss)
    }

    func accepting(
        _ log: SharedHost,
        base: [RegisterDigest]?
    ) throws -> (item: SharedHost, isConflict: Bool)? {
        let (host, isConflict) = try merged(with: log, base: base ?? digests)
        return (host, isConflict)
    }

    /// Two profiles that say the same are one.
    func joined(with log: SharedHost) throws -> SharedHost? {
        guard !record.isRemoved, record.profile.fields == log.record.profile.fields,
            record.extras == log.record.extras
        else { return nil }
        var result = log.record
        result.isDefault = record.isDefault && !result.isRemoved
        return SharedHost(log.name, log.created, result)
    }

    /// The register of the login, which names a key.
    func hasLogin(of row: LogIndex.Row) -> Bool {
        row.registers.count > 5 && digests[5] == row.registers[5]
    }

    /// The profile with another key for its login.
    func naming(_ key: String) throws -> SharedHost {
        var (fields, result) = (record.profile.fields, record)
        fields.keyReference = key
        result.profile = try HostProfile(id: record.profile.id, fields)
        return SharedHost(name, created, result)
    }

    static func prepareRemoval(_ content: inout HostRecord) { content.isDefault = false }
}

extension HostProfile.Fields {
    /// The machine and its port: one without the other leads elsewhere.
    fileprivate var place: [String] { [host, String(port)] }
    /// How to log in and the key for it, which a login by key must have.
    fileprivate var login: [String] { [authentication, keyReference ?? ""] }
}

extension HostRecord {
    fileprivate var extraTexts: [[UInt8]] { extras.flatMap { [Array($0.name.utf8), Array($0.json.utf8)] } }
}
