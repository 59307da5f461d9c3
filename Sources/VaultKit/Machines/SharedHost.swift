internal import RecordStore
internal import SSHFormats
internal import SharedLog
internal import VaultCrypto

/// An SSH host profile as machines share it (Schemas/machines.md section 6): a record of the vault, or an object of the log.
///
/// Each machine chooses its own default host, so the log does not contain that choice.
struct SharedHost: SharedRecord {
    static let kind = SharedKind.sshHost
    let name: String
    /// Creation time, Unix milliseconds.
    let created: UInt64
    let record: HostRecord

    var content: HostRecord { record }

    static func id(of info: RecordInfo) -> ObjectID? {
        info.attributes["id"].flatMap { try? HostID($0) }.map { ObjectID(digest: $0.bytes) }
    }

    /// Makes a profile from a record of the vault.
    init(_ info: RecordInfo, _ record: HostRecord) { self.init(info.id.name, info.created, record) }

    /// Makes a profile of the vault from its parts; nil for a profile that stays on its machine.
    init?(_ id: ObjectID, _ name: String, created: UInt64, _ record: HostRecord) {
        guard !record.isLocal else { return nil }
        self.init(name, created, record)
    }

    /// Reads a profile from the log; nil if no record can be made of the object.
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

    /// Joins two profiles that have equal fields.
    func joined(with log: SharedHost) throws -> SharedHost? {
        guard !record.isRemoved, record.profile.fields == log.record.profile.fields,
            record.extras == log.record.extras
        else { return nil }
        var result = log.record
        result.isDefault = record.isDefault && !result.isRemoved
        return SharedHost(log.name, log.created, result)
    }

    /// Whether the row of the log has the same login, which names a key.
    func hasLogin(of row: LogIndex.Row) -> Bool {
        row.registers.count > 5 && digests[5] == row.registers[5]
    }

    /// Returns the profile with another key for its login.
    func naming(_ key: String) throws -> SharedHost {
        var (fields, result) = (record.profile.fields, record)
        fields.keyReference = key
        result.profile = try HostProfile(id: record.profile.id, fields)
        return SharedHost(name, created, result)
    }

    static func prepareRemoval(_ content: inout HostRecord) { content.isDefault = false }
}

extension HostProfile.Fields {
    /// The host and its port, which are merged together: a mixture of both sides would be a different server.
    fileprivate var place: [String] { [host, String(port)] }
    /// The authentication and its key, which are merged together.
    fileprivate var login: [String] { [authentication, keyReference ?? ""] }
}

extension HostRecord {
    fileprivate var extraTexts: [[UInt8]] { extras.flatMap { [Array($0.name.utf8), Array($0.json.utf8)] } }
}
