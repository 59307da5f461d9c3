internal import RecordStore
internal import Secrets
internal import SharedLog
internal import VaultCrypto

/// A secret as machines share it (Schemas/machines.md section 6): a record of the vault, or an object of the log.
struct SharedSecret: SharedRecord {
    static let kind = SharedKind.secret
    /// The tag of a secret that stays on its machine.
    static let localTag = "local"

    let id: ObjectID
    let name: String
    /// Creation time, Unix milliseconds.
    let created: UInt64
    let credential: Credential

    var content: Credential { credential }
    var digests: [RegisterDigest] { get throws { try registers().digests } }

    static func id(of info: RecordInfo) -> ObjectID? { ObjectID(bytes: info.uid) }

    /// Makes a secret from a record of the vault; nil for a secret that stays on its machine.
    init?(_ info: RecordInfo, _ credential: Credential) {
        guard let id = ObjectID(bytes: info.uid) else { return nil }
        self.init(id, info.id.name, created: info.created, credential)
    }

    /// Reads a secret from the log; nil if no record can be made of the object.
    init?(_ object: SharedObject) {
        guard object.sharedKind == .secret, Credential.isName(object.name),
            let credential = try? Credential(content: object.content)
        else { return nil }
        (id, name, created) = (object.id, object.name, object.created)
        self.credential = credential
    }

    /// Makes a secret of the vault from its parts; nil for a secret that stays on its machine.
    init?(_ id: ObjectID, _ name: String, created: UInt64, _ credential: Credential) {
        guard !credential.tags.contains(Self.localTag) else { return nil }
        (self.id, self.name, self.created, self.credential) = (id, name, created, credential)
    }

    /// The secret as an object of the log.
    ///
    /// - Throws: `LogError`; `CredentialError`.
    func object() throws -> SharedObject {
        try SharedObject(
            kind: SharedKind.secret.rawValue,
            id: id,
            created: created,
            expires: (credential.expires ?? 0) * 1_000,
            name: name,
            content: try credential.content()
        )
    }

    /// The fields that are merged one by one.
    ///
    /// - Throws: `CryptoError`; `OneTimeError`.
    func registers() throws -> SecretRegisters {
        let current = try CountedFields(credential.current)
        return SecretRegisters(
            type: credential.kind.rawValue,
            name: name,
            end: credential.expires ?? 0,
            origin: credential.origin ?? "",
            counter: current.counter ?? 0,
            removedAt: credential.removedAt ?? 0,
            versions: Hash.sha256(try marks().flatMap(\.digest)),
            tags: credential.tags
        )
    }

    private func marks() throws -> [VersionMark] {
        try credential.versions.map { version in
            VersionMark(
                number: version.number,
                time: version.created,
                digest: try CountedFields(version).digest
            )
        }
    }

    /// Merges the change of this machine with the change in the log.
    ///
    /// - Parameters:
    ///   - log: The secret in the log.
    ///   - base: The registers that both sides had last; empty for a secret that both machines made independently.
    /// - Returns: the merged secret, and whether both sides changed a part that a person set; nil for two kinds of secrets,
    ///   which both stay.
    /// - Throws: `CredentialError` and other errors for a result that cannot be written.
    func merged(
        with log: SharedSecret,
        base: [RegisterDigest]
    ) throws -> (secret: SharedSecret, isConflict: Bool)? {
        guard let (registers, hasLoss) = try registers().merged(with: try log.registers(), base: base) else {
            return nil
        }
        let picked = VersionMerge.merge(mine: try marks(), theirs: try log.marks())
        let versions = try picked.versions.map { pick in
            let source = pick.isMine ? credential : log.credential
            guard let version = source.version(pick.version.number) else { throw CredentialError.malformed }
            return try CredentialVersion(
                number: pick.number,
                created: version.created,
                fields: version.fields
            )
        }
        var result = try Credential(credential.kind, versions: versions)
        try result.setTags(registers.tags)
        try result.setExpires(registers.end == 0 ? nil : registers.end)
        try result.setOrigin(registers.origin.isEmpty ? nil : registers.origin)
        let isKept = try isChangedBesideRemoval(log, base: base)
        result.removedAt = registers.removedAt == 0 || isKept ? nil : registers.removedAt
        try raiseCounter(of: &result, beside: log.credential)
        let merged = SharedSecret(id, registers.name, created: log.created, result)
        return merged.map { ($0, hasLoss || picked.bothChanged || isKept) }
    }

    /// Whether one side moved the secret to the trash and the other gave it a new value; the secret then stays in use.
    private func isChangedBesideRemoval(_ log: SharedSecret, base: [RegisterDigest]) throws -> Bool {
        guard (credential.removedAt == nil) != (log.credential.removedAt == nil) else { return false }
        let living = credential.removedAt == nil ? self : log
        let versions = SecretRegisters.versionsPlace
        return try base.count > versions && living.registers().digests[versions] != base[versions]
    }

    func accepting(
        _ log: SharedSecret,
        base: [RegisterDigest]?
    ) throws -> (item: SharedSecret, isConflict: Bool)? {
        guard let base else { return (log, false) }
        return try merged(with: log, base: base).map { ($0.secret, $0.isConflict) }
    }

    /// Joins two secrets with equal fields; the versions of both stay.
    func joined(with log: SharedSecret) throws -> SharedSecret? {
        guard credential.removedAt == nil, credential.hasSameFields(as: log.credential),
            let merged = try merged(with: log, base: [])?.secret
        else { return nil }
        return SharedSecret(log.id, merged.name, created: log.created, merged.credential)
    }

    /// Adds the fields of an older state as a new version.
    func restoring(_ older: SharedSecret, at now: UInt64) throws -> Credential? {
        guard try CountedFields(older.credential.current).digest != CountedFields(credential.current).digest
        else { return nil }
        var result = credential
        try result.add(older.credential.current.fields, at: now)
        return result
    }

    /// Raises a counter to the highest of both sides, so that no one-time password is returned twice.
    private func raiseCounter(of result: inout Credential, beside log: Credential) throws {
        let current = try CountedFields(result.current)
        guard let counter = current.counter, let key = current.key else { return }
        var highest = counter
        for version in credential.versions + log.versions {
            let other = try CountedFields(version)
            if let found = other.counter, let name = other.key, ConstantTime.equal(name, key) {
                highest = max(highest, found)
            }
        }
        guard highest > counter, let field = result.current[CredentialField.totp] else { return }
        let raised = try OneTimeKey.counting(field.value, from: highest)
        try result.put(try CredentialField(CredentialField.totp, raised))
    }
}

/// The fields of a version without the counter of one-time passwords, which changes without a person.
private struct CountedFields {
    /// The counter of the next password; nil for none.
    var counter: UInt64?
    /// The address of the key with the counter 0.
    var key: Secret?
    /// The hash of the fields, in their order.
    let digest: [UInt8]

    init(_ version: CredentialVersion) throws {
        var pieces: [any ByteSource] = []
        for field in version.fields {
            var value = field.value
            if field.name == CredentialField.totp, let read = try? OneTimeKey(reading: value),
                case .counter(let found) = read.moving
            {
                value = try OneTimeKey.counting(value, from: 0)
                (counter, key) = (found, value)
            }
            pieces.append(
                Self.length(field.name.utf8.count) + Array(field.name.utf8) + Self.length(value.count)
            )
            pieces.append(value)
        }
        digest = Hash.sha256(try SecretBytes.joined(pieces))
    }

    private static func length(_ count: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
}
