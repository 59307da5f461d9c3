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

/// A place in the audit log: how many entries there are, and a digest over all of them.
public struct AuditMark: Hashable, Sendable, Codable {
    /// Bytes in a link.
    static let linkSize = 32

    /// The number of the last entry; the first one is 1, and 0 is the beginning.
    public let sequence: UInt64
    /// The digest over every entry up to it: 32 bytes.
    public let link: [UInt8]

    /// Before the first entry.
    static let beginning = AuditMark(sequence: 0, link: [UInt8](repeating: 0, count: linkSize))
}
