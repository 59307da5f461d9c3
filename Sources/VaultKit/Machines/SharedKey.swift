internal import RecordStore
internal import SSHFormats
internal import SharedLog
internal import VaultCrypto

/// An SSH key as machines share it (Schemas/machines.md section 6): a record of the vault, or an object of the log.
struct SharedKey: SharedRecord {
    static let kind = SharedKind.sshKey
    let name: String
    /// Creation time, Unix milliseconds.
    let created: UInt64
    /// The complete record of the key; its private half stays in locked memory.
    let record: KeyRecord

    var content: KeyRecord { record }

    static func id(of info: RecordInfo) -> ObjectID? {
        guard let print = info.attributes["fingerprint"].flatMap({ Fingerprint($0) }) else { return nil }
        return ObjectID(of: .sshKey, print.digest)
    }

    /// Makes a key from a record of the vault.
    init(_ info: RecordInfo, _ record: KeyRecord) { self.init(info.id.name, info.created, record) }

    /// Makes a key of the vault from its parts; nil for a key that stays on its machine.
    init?(_ id: ObjectID, _ name: String, created: UInt64, _ record: KeyRecord) {
        guard !record.use.isLocal else { return nil }
        self.init(name, created, record)
    }

    /// Reads a key from the log; nil if no record can be made of the object.
    init?(_ object: SharedObject) {
        guard object.sharedKind == .sshKey, KeyRecord.isName(object.name),
            let record = try? KeyRecord(content: object.content), !record.use.isLocal
        else { return nil }
        self.init(object.name, object.created, record)
        guard object.isSame(as: try? self.object()) else { return nil }
    }

    private init(_ name: String, _ created: UInt64, _ record: KeyRecord) {
        (self.name, self.created, self.record) = (name, created, record)
    }

    /// The object id of the key in the log.
    var id: ObjectID { ObjectID(of: .sshKey, record.publicKey.fingerprint.digest) }

    /// The key as an object of the log.
    ///
    /// - Throws: `SSHFormatError`; `LogError`.
    func object() throws -> SharedObject {
        try SharedObject(
            kind: SharedKind.sshKey.rawValue,
            id: id,
            created: created,
            name: name,
            content: try record.content()
        )
    }

    /// The digests for an index.
    var digests: [RegisterDigest] { registers.digests }

    /// The fields that are merged one by one.
    private var registers: SSHKeyRegisters {
        SSHKeyRegisters(
            name: name,
            comment: record.key.comment,
            state: record.stored.rawValue,
            retiredAt: UInt32(clamping: record.retiredAt ?? 0),
            related: record.related,
            asksEachTime: record.use.needsConfirmation,
            lifetime: record.use.lifetime,
            removedAt: UInt32(clamping: record.removedAt ?? 0),
            onlyFor: record.use.hosts,
            namespaces: record.use.namespaces,
            certificates: record.certificates.map(\.blob)
        )
    }

    /// Merges the change of this machine with the change in the log.
    ///
    /// - Parameters:
    ///   - log: The key in the log.
    ///   - base: The registers that both sides had last; none for a key that both machines got independently.
    /// - Returns: the merged key, and whether it lost a change that a person may miss.
    /// - Throws: `SSHFormatError.outOfMemory`.
    func merged(with log: SharedKey, base: [RegisterDigest]) throws -> (key: SharedKey, isConflict: Bool) {
        var (registers, isConflict) = self.registers.merged(with: log.registers, base: base)
        var result = log.record
        // The vault cannot verify the private half of such a key, so a different private half counts as a conflict.
        if !record.key.isUsable {
            isConflict = try !ConstantTime.equal(record.key.wire(), log.record.key.wire()) || isConflict
        }
        if registers.certificates.count > KeyRecord.maximumCertificates {
            registers.certificates.removeLast(registers.certificates.count - KeyRecord.maximumCertificates)
            isConflict = true
        }
        let certificates = log.record.certificates + record.certificates
        result.certificates = registers.certificates.compactMap { blob in
            certificates.first { $0.blob == blob }
        }
        result.key.comment = registers.comment
        result.state = KeyRecord.State(rawValue: registers.state) ?? result.state
        result.retiredAt = registers.retiredAt == 0 ? nil : UInt64(registers.retiredAt)
        result.related = registers.related
        result.removedAt = registers.removedAt == 0 ? nil : UInt64(registers.removedAt)
        result.use.needsConfirmation = registers.asksEachTime
        result.use.lifetime = registers.lifetime
        result.use.hosts = registers.onlyFor
        result.use.namespaces = registers.namespaces
        return (SharedKey(registers.name, min(created, log.created), result), isConflict)
    }

    /// Merges the log's state; if the private half cannot be verified, this machine always keeps its own.
    func accepting(_ log: SharedKey, base: [RegisterDigest]?) throws -> (item: SharedKey, isConflict: Bool)? {
        let (merged, isConflict) = try merged(with: log, base: base ?? digests)
        guard !record.key.isUsable else { return (merged, isConflict) }
        var result = merged.record
        result.key = record.key
        result.key.comment = merged.record.key.comment
        return (SharedKey(merged.name, merged.created, result), isConflict)
    }

    func isSaid(by row: LogIndex.Row) throws -> Bool {
        guard record.key.isUsable else { return digests == row.registers }
        return try object().digest() == row.line.digest
    }
}

extension SharedObject {
    /// Whether another object has the same bytes; if a record loses anything, it would change the log.
    func isSame(as other: SharedObject?) -> Bool {
        guard let other else { return false }
        return ConstantTime.equal(encoded, other.encoded)
    }
}
