internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// A secret shared with a contact, or by a contact, as the vault remembers it (Schemas/parcel.md section 5).
struct Gift: Sendable {
    /// The direction of the sharing.
    enum Way: String, Sendable {
        /// This vault shared the secret.
        case out
        /// The contact shared the secret.
        case `in`
    }

    static let recordKind = "secret.gift"
    /// The most gifts that a vault remembers.
    static let maximum = 10_000
    static let idSize = 16

    /// The digest of no content; nobody can guess a value from it.
    static let noDigest = [UInt8](repeating: 0, count: digestSize)
    /// The uid of no record: for a gift whose secret is not in this vault.
    static let noRecord = [UInt8](repeating: 0, count: RecordLimits.uid)

    private static let version: UInt8 = 1
    private static let digestSize = 32

    /// The id of the gift, 16 bytes.
    let id: [UInt8]
    var contact: PeerID
    let way: Way
    /// The secret's name in this vault.
    var secret: String
    /// The latest version of the secret that was shared.
    var version: UInt32
    /// Time of the latest sharing, Unix seconds.
    var at: UInt64
    /// SHA-256 of the content that was sent; for an accepted secret, of the copy as it was accepted.
    var digest: [UInt8]
    /// Time of the withdrawal, Unix seconds; nil if the gift still holds.
    var withdrawnAt: UInt64?
    /// The uid of the secret's record, which tells it from another secret under the same name.
    ///
    /// Nil if an earlier version of hsip wrote the gift.
    var record: [UInt8]?
    /// Time when the latest parcel was sealed, Unix seconds; a parcel that is not newer changes nothing.
    var made: UInt64 = 0
    /// Expiry of an accepted secret, Unix seconds; 0 if it never expires, nil if unknown.
    var end: UInt64?

    init(
        id: [UInt8],
        contact: PeerID,
        way: Way,
        secret: String,
        version: UInt32,
        at: UInt64,
        digest: [UInt8]
    ) {
        (self.id, self.contact, self.way, self.secret) = (id, contact, way, secret)
        (self.version, self.at, self.digest) = (version, at, digest)
    }

    /// Reads a record; nil if it is malformed.
    init?(_ record: Record) {
        let attributes = record.info.attributes
        guard let id = Hex.decode(record.info.id.name), id.count == Self.idSize,
            let contact = attributes["contact"].flatMap({ Hex.decode($0) }).flatMap({ PeerID(bytes: $0) }),
            let way = attributes["way"].flatMap({ Way(rawValue: $0) }), let secret = attributes["secret"],
            let version = attributes["version"].flatMap({ UInt32($0) }),
            let at = attributes["at"].flatMap({ UInt64($0) })
        else { return nil }
        let body = record.body.withBytes { $0.copied() }
        guard body.count == 1 + Self.digestSize + 8, body[0] == Self.version else { return nil }
        // Earlier versions wrote none of the three attributes; a malformed one makes the whole record
        // invalid.
        let (uid, made, end) = (attributes["uid"], attributes["made"], attributes["end"])
        let record = uid.flatMap { Hex.decode($0) }
        guard uid == nil || record?.count == RecordLimits.uid,
            made == nil || made.flatMap({ UInt64($0) }) != nil,
            end == nil || end.flatMap({ UInt64($0) }) != nil
        else { return nil }
        let withdrawn = body.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(
            id: id,
            contact: contact,
            way: way,
            secret: secret,
            version: version,
            at: at,
            digest: Array(body[1...Self.digestSize])
        )
        withdrawnAt = withdrawn == 0 ? nil : withdrawn
        self.record = record
        self.made = made.flatMap { UInt64($0) } ?? 0
        self.end = end.flatMap { UInt64($0) }
    }

    /// Whether the gift is of the record with this uid; a gift without a uid fits every record.
    func isOf(_ uid: [UInt8]?) -> Bool { record == nil || record == uid }

    static func recordID(_ id: [UInt8]) throws(StoreError) -> RecordID {
        try RecordID(recordKind, Hex.encode(id))
    }

    /// Drops the digest of a deleted secret, so that nobody can guess its value.
    mutating func forgetContent() { digest = Self.noDigest }

    func draft() throws -> RecordDraft {
        let withdrawn = (0..<8).map { UInt8(truncatingIfNeeded: (withdrawnAt ?? 0) >> (56 - 8 * $0)) }
        var pairs = [
            "contact": contact.hex, "secret": secret, "way": way.rawValue, "version": String(version),
            "at": String(at), "made": String(made),
        ]
        pairs["uid"] = record.map { Hex.encode($0) }
        pairs["end"] = end.map { String($0) }
        return RecordDraft(
            id: try Self.recordID(id),
            label: "HSIP secret for a contact",
            attributes: try Attributes(pairs),
            body: try Secret(copying: [Self.version] + digest + withdrawn)
        )
    }
}

extension RecordReader {
    /// The gifts with these attributes, each with the revision of its record; unreadable ones are left out.
    func gifts(where pairs: [String: String] = [:]) throws -> [(gift: Gift, revision: Revision)] {
        let kind = try RecordKind(Gift.recordKind)
        var found: [(gift: Gift, revision: Revision)] = []
        for info in try survey(kind, where: try Attributes(pairs)).records where !info.isNewer {
            guard let record = try find(info.id), let gift = Gift(record) else { continue }
            found.append((gift, record.info.revision))
        }
        return found
    }

    /// The gift with this id; nil if there is none.
    ///
    /// - Throws: `tampered` or `newerRecord` if the gift is unreadable.
    func gift(_ id: [UInt8]) throws -> (gift: Gift, revision: Revision)? {
        guard let record = try find(try Gift.recordID(id)) else { return nil }
        guard let gift = Gift(record) else { throw StoreError.newerRecord }
        return (gift, record.info.revision)
    }

    /// The number of gift records, damaged ones included.
    func giftCount() throws -> Int {
        let survey = try survey(try RecordKind(Gift.recordKind))
        return survey.records.count + survey.damaged.count
    }
}
