public import VaultCrypto

/// A record to be written: the store adds revision and times.
public struct RecordDraft: Sendable {
    /// Kind and name.
    public var id: RecordID
    /// Text for people, at most 1,024 bytes.
    public var label: String
    /// Searchable values; they replace the old ones.
    public var attributes: Attributes
    /// When the record expires, in milliseconds of Unix time, 0 for never.
    public var expires: UInt64
    /// The secret, at most 16 MiB.
    public var body: Secret
    /// The 16-byte uid to keep, for a rename; nil keeps the uid of the replaced record, or makes a new one.
    public var uid: [UInt8]?
    /// The creation time to keep; nil keeps that of the replaced record, or uses the present time.
    public var created: UInt64?

    /// A draft; the limits are checked when it is committed.
    public init(
        id: RecordID,
        label: String = "",
        attributes: Attributes = .none,
        expires: UInt64 = 0,
        body: Secret,
        uid: [UInt8]? = nil,
        created: UInt64? = nil
    ) {
        self.id = id
        self.label = label
        self.attributes = attributes
        self.expires = expires
        self.body = body
        self.uid = uid
        self.created = created
    }

    /// Checks what the types do not ensure: label, secret and kept identity.
    package func check() throws(StoreError) {
        guard label.utf8.count <= RecordLimits.label else { throw .invalidRecord(.label) }
        guard body.count <= RecordLimits.body else { throw .invalidRecord(.body) }
        guard uid.map({ $0.count == RecordLimits.uid }) ?? true else { throw .invalidRecord(.uid) }
        guard metaSize <= RecordLimits.meta else { throw .invalidRecord(.meta) }
    }

    /// The info that a store writes: uid and creation time come from the draft or the old record, or are new.
    package func written(
        over old: RecordInfo?,
        revision: Revision,
        at time: UInt64,
        _ entropy: Entropy
    ) -> RecordInfo {
        RecordInfo(
            id: id,
            revision: revision,
            uid: uid ?? old?.uid ?? entropy.bytes(RecordLimits.uid),
            created: created ?? old?.created ?? time,
            modified: time,
            expires: expires,
            label: label,
            attributes: attributes,
            predatesRestore: false
        )
    }

    /// Bytes of meta content that the record will have (Schemas/vault-file.md section 3).
    package var metaSize: Int {
        let fixed = 2 + 8 + RecordLimits.uid + 3 * 8 + 3 * 2 + 2
        let texts = id.kind.rawValue.utf8.count + id.name.utf8.count + label.utf8.count
        return fixed + texts + attributes.encoded.count
    }
}

/// The limits of a record (Schemas/vault-file.md section 3), checked on write and on read, before any
/// allocation.
public enum RecordLimits {
    /// Longest kind, in ASCII characters.
    public static let kind = 32
    /// Longest name, in bytes of UTF-8.
    public static let name = 512
    /// Longest label, in bytes of UTF-8.
    public static let label = 1_024
    /// Most attributes of one record.
    public static let attributes = 64
    /// Longest attribute name, in bytes of UTF-8.
    public static let attributeName = 64
    /// Longest attribute value, in bytes.
    public static let attributeValue = 4_096
    /// Longest meta content: everything about a record but its secret.
    public static let meta = 64 << 10
    /// Longest secret: 16 MiB.
    public static let body = 16 << 20
    /// Size of the identity that survives renaming.
    public static let uid = 16
}
