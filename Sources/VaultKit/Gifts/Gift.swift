internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// What the vault remembers of a secret that was given to a contact, or that a contact gave (Schemas/parcel.md section 5).
struct Gift: Sendable {
    /// Who gave it.
    enum Way: String, Sendable {
        /// It was given from this vault.
        case out
        /// The contact gave it.
        case `in`
    }

    static let recordKind = "secret.gift"
    /// Gifts that a vault remembers.
    static let maximum = 10_000
    static let idSize = 16

    /// The digest of a content by which nothing can be guessed.
    static let noDigest = [UInt8](repeating: 0, count: digestSize)
    /// The uid that no record has: of a gift that is no secret of this vault.
    static let noRecord = [UInt8](repeating: 0, count: RecordLimits.uid)

    private static let version: UInt8 = 1
    private static let digestSize = 32

    /// Its number, 16 bytes.
    let id: [UInt8]
    var contact: PeerID
    let way: Way
    /// The secret's name in this vault.
    var secret: String
    /// The version that the contact was given, or gave last.
    var version: UInt32
    /// When, Unix seconds.
    var at: UInt64
    /// SHA-256 of the content that was sent; of one that was taken, of the copy as it was when it was taken.
    var digest: [UInt8]
    /// When it was withdrawn, Unix seconds; nil while it is not.
    var withdrawnAt: UInt64?
    /// The uid of the secret's record: another secret under the name is not the one of the gift.
    ///
    /// Nil where a program before this one wrote the gift.
    var record: [UInt8]?
    /// When the parcel was sealed that went last, Unix seconds: what was sealed no later says nothing new.
    var made: UInt64 = 0
    /// The end of a secret that was taken, Unix seconds, 0 for none; nil where it is not known.
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

    /// Reads a record; nil for one that is not in its form.
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
        // What a program before this one wrote has none of the three; what is there is right, or nothing counts.
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

    /// Whether the secret of a record is that of the gift.
    func isOf(_ uid: [UInt8]?) -> Bool { record == nil || record == uid }

    static func recordID(_ id: [UInt8]) throws(StoreError) -> RecordID {
        try RecordID(recordKind, Hex.encode(id))
    }

    /// Nothing by which values could be guessed stays of a secret that is gone.
    mutating func forgetContent() { digest = Self.noDigest }

    func draft() throws(VaultError) -> RecordDraft {
        let withdrawn = (0..<8).map { UInt8(truncatingIfNeeded: (withdrawnAt ?? 0) >> (56 - 8 * $0)) }
        var pairs = [
            "contact": contact.hex, "secret": secret, "way": way.rawValue, "version": String(version),
            "at": String(at), "made": String(made),
        ]
        pairs["uid"] = record.map { Hex.encode($0) }
        pairs["end"] = end.map { String($0) }
        do {
            return RecordDraft(
                id: try Self.recordID(id),
                label: "HSIP secret for a contact",
                attributes: try Attributes(pairs),
                body: try Secret(copying: [Self.version] + digest + withdrawn)
            )
        } catch {
            throw VaultError(error)
        }
    }
}

extension RecordReader {
    /// The gifts with some attributes, each with the revision of its record; what cannot be read is left out.
    func gifts(where pairs: [String: String] = [:]) throws(VaultError) -> [(gift: Gift, revision: Revision)] {
        do {
            let kind = try RecordKind(Gift.recordKind)
            var found: [(gift: Gift, revision: Revision)] = []
            for info in try survey(kind, where: try Attributes(pairs)).records where !info.isNewer {
                guard let record = try find(info.id), let gift = Gift(record) else { continue }
                found.append((gift, record.info.revision))
            }
            return found
        } catch {
            throw VaultError(error)
        }
    }

    /// The gift of a number; nil for none.
    ///
    /// - Throws: `tampered`, `newerRecord` for one that cannot be read.
    func gift(_ id: [UInt8]) throws(VaultError) -> (gift: Gift, revision: Revision)? {
        do throws(StoreError) {
            guard let record = try find(try Gift.recordID(id)) else { return nil }
            guard let gift = Gift(record) else { throw StoreError.newerRecord }
            return (gift, record.info.revision)
        } catch {
            throw .store(error)
        }
    }

    /// How many records of gifts there are.
    func giftCount() throws(VaultError) -> Int {
        do throws(StoreError) {
            let survey = try survey(try RecordKind(Gift.recordKind))
            return survey.records.count + survey.damaged.count
        } catch {
            throw .store(error)
        }
    }
}
