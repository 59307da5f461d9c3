internal import RecordStore
internal import VaultCrypto

extension Vault {
    private static let auditKind = "vault.audit"
    private static let auditName = "log"

    /// The audit log of this vault, for writing; makes its key if there is none yet.
    ///
    /// The log has its own copy of the key, so it still works after the vault was closed.
    ///
    /// - Throws: `audit`; the errors of the store.
    package func auditLog() throws(VaultError) -> AuditLog {
        if let log = audit.log { return log }
        guard let folder = audit.folder else { throw .audit(.noPlace) }
        let kept: KeptAudit
        if let found = try keptAudit() { kept = found.kept } else { kept = try makeAudit() }
        let log = AuditLog(
            folder: folder,
            vaultID: store.vaultID,
            key: kept.key,
            mark: kept.mark,
            entropy: entropy,
            clock: clock
        )
        audit.log = log
        return log
    }

    /// Writes the log's present length into the vault, so that nobody can cut off its end unnoticed.
    package func markAudit() throws(VaultError) {
        guard let log = audit.log else { return }
        _ = try committing {
            let mark = log.mark
            guard let found = try keptAudit(), found.kept.mark.sequence < mark.sequence else {
                return ((), ChangeSet?.none)
            }
            var changes = ChangeSet(floor: found.floor)
            let kept = KeptAudit(key: found.kept.key, mark: mark)
            changes.put(try kept.draft(Self.auditKind, Self.auditName), expecting: found.revision)
            return ((), changes)
        }
    }

    /// The newest entries of the audit log that match, the oldest first; empty if there is no log yet.
    public func auditEntries(_ query: AuditQuery) throws(VaultError) -> [AuditRecord] {
        guard let reader = try auditReader() else { return [] }
        return try asVaultError { try reader.entries(query) }
    }

    /// Checks the whole audit log; a log that was never begun is whole.
    public func checkAudit() throws(VaultError) -> AuditReport {
        guard let reader = try auditReader() else { return AuditReport() }
        return try asVaultError { try reader.check() }
    }

    private func auditReader() throws(VaultError) -> AuditReader? {
        guard let kept = try keptAudit()?.kept else { return nil }
        guard let folder = audit.folder else { throw .audit(.noPlace) }
        return AuditReader(
            folder: folder,
            vaultID: store.vaultID,
            key: kept.key,
            mark: kept.mark
        )
    }

    private func keptAudit() throws(VaultError) -> (kept: KeptAudit, floor: UInt64, revision: Revision)? {
        try reading { (reader) -> (KeptAudit, UInt64, Revision)? in
            guard let record = try reader.find(try RecordID(Self.auditKind, Self.auditName)) else {
                return nil
            }
            guard let kept = KeptAudit(record) else { throw AuditError.badKey }
            return (kept, reader.floor, record.info.revision)
        }
    }

    /// Makes the key of a new log; uses the key of another process that made one meanwhile.
    private func makeAudit() throws(VaultError) -> KeptAudit {
        let floor = try reading { reader in reader.floor }
        do {
            let made = KeptAudit(key: Secret(try entropy.secret(KeptAudit.keySize)), mark: .beginning)
            var changes = ChangeSet(floor: floor)
            changes.put(try made.draft(Self.auditKind, Self.auditName), expecting: 0)
            try store.commit(changes)
            return made
        } catch StoreError.conflict {
            guard let found = try keptAudit() else { throw .store(.busy) }
            return found.kept
        } catch StoreError.readOnly, StoreError.readOnlyWithLog {
            throw .audit(.noPlace)
        } catch {
            throw VaultError(error)
        }
    }
}

/// The vault's record of its audit log: the key, and the log's length when that was last noted.
private struct KeptAudit: Sendable {
    /// Bytes of the key.
    static let keySize = XChaCha20Poly1305.keySize

    let key: Secret
    let mark: AuditMark

    init(key: Secret, mark: AuditMark) {
        self.key = key
        self.mark = mark
    }

    /// Reads the record; nil if it is malformed.
    init?(_ record: Record) {
        guard record.body.count == Self.keySize,
            let sequence = record.info.attributes["sequence"].flatMap({ UInt64($0) }),
            let link = record.info.attributes.bytes("link"), link.count == AuditMark.linkSize
        else { return nil }
        key = record.body
        mark = AuditMark(sequence: sequence, link: link)
    }

    /// The record to write.
    func draft(_ kind: String, _ name: String) throws(StoreError) -> RecordDraft {
        RecordDraft(
            id: try RecordID(kind, name),
            label: "HSIP audit log",
            attributes: try Attributes(bytes: [
                (name: "link", value: mark.link),
                (name: "sequence", value: Array(String(mark.sequence).utf8)),
            ]),
            body: key
        )
    }
}

/// The state of a vault's audit log.
struct AuditHolding: Sendable {
    /// The folder of the files; nil for a vault without a log.
    let folder: String?
    /// The log, after the first write.
    var log: AuditLog?
}
