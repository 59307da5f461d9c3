internal import Audit
internal import RecordStore
internal import VaultCrypto

/// What the vault keeps of its audit log: the key, and how far the log reached when that was last noted.
struct KeptAudit: Sendable {
    /// Bytes in the key.
    static let keySize = XChaCha20Poly1305.keySize

    let key: Secret
    let mark: AuditMark

    init(key: Secret, mark: AuditMark) {
        self.key = key
        self.mark = mark
    }

    /// Reads the record; nil when it is not one of an audit log.
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

/// What a vault has of its audit log.
struct AuditHolding: Sendable {
    /// Where the files lie; nil for a vault that is to have no log.
    let folder: String?
    /// The log, once it was written to.
    var log: AuditLog?
}
