public import HSIP
internal import RecordStore
internal import Secrets
public import VaultCrypto

/// The record of the shares that were sent to contacts (Schemas/shares.md): each contact, and its sealed parcel.
///
/// The record has no word of a share.
struct SharesRecord: Sendable {
    /// A parcel for one contact.
    struct Holder: Sendable {
        let peerID: PeerID
        /// The id of the gift, 16 bytes.
        let gift: [UInt8]
        let parcel: [UInt8]
    }

    static let recordKind = "vault.shares"
    /// The most shares of one split.
    static let maximum = 16

    private static let version: UInt8 = 1
    /// Bytes of a parcel with twenty words, with some reserve.
    private static let longestParcel = 8_192

    let identifier: UInt16
    /// The name of the key slot.
    let name: String
    let threshold: Int
    /// When the shares were made, Unix seconds.
    let at: UInt64
    var holders: [Holder] = []

    init(_ request: ShareRequest, named name: String, at: UInt64) {
        (identifier, threshold) = (request.identifier, request.threshold)
        (self.name, self.at) = (name, at)
    }

    /// Reads a record; nil if it is malformed.
    init?(_ record: Record) {
        let attributes = record.info.attributes
        guard let bytes = Hex.decode(record.info.id.name), bytes.count == 2,
            let name = attributes["slot"], let at = attributes["at"].flatMap({ UInt64($0) })
        else { return nil }
        var rest = record.body.withBytes { $0.copied() }[...]
        func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard let head = take(3), head[0] == Self.version, (1...Self.maximum).contains(Int(head[2])) else {
            return nil
        }
        for _ in 0..<head[2] {
            guard let peer = take(32).flatMap({ PeerID(bytes: $0) }), let gift = take(Gift.idSize),
                let size = take(2).map({ Int($0[0]) << 8 | Int($0[1]) }), let parcel = take(size)
            else { return nil }
            holders.append(Holder(peerID: peer, gift: gift, parcel: parcel))
        }
        guard rest.isEmpty else { return nil }
        identifier = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        (self.name, self.at, threshold) = (name, at, Int(head[1]))
    }

    static func recordID(_ identifier: UInt16) throws(StoreError) -> RecordID {
        try RecordID(recordKind, Hex.encode([UInt8(identifier >> 8), UInt8(identifier & 0xFF)]))
    }

    func draft() throws -> RecordDraft {
        var body = [Self.version, UInt8(clamping: threshold), UInt8(clamping: holders.count)]
        for holder in holders {
            let size = holder.parcel.count
            guard size <= Self.longestParcel else { throw CredentialError.malformedGift }
            body += holder.peerID.bytes + holder.gift
            body += [UInt8(size >> 8), UInt8(size & 0xFF)] + holder.parcel
        }
        return RecordDraft(
            id: try Self.recordID(identifier),
            label: "Shares of what opens the vault",
            attributes: try Attributes(["slot": name, "at": String(at)]),
            body: try Secret(copying: body)
        )
    }
}

extension RecordReader {
    /// The records of shares that were sent to contacts, the oldest first; unreadable records are left out.
    func shares() throws -> [SharesRecord] {
        var found: [SharesRecord] = []
        for info in try survey(try RecordKind(SharesRecord.recordKind)).records where !info.isNewer {
            guard let record = try find(info.id), let shares = SharesRecord(record) else { continue }
            found.append(shares)
        }
        return found.sorted { ($0.at, $0.identifier) < ($1.at, $1.identifier) }
    }
}

/// Shares of a recovery secret, one for each of several contacts.
public struct ShareRequest: Sendable, Codable {
    /// A contact, and the contact's share.
    public struct Holder: Sendable, Codable {
        /// The alias of the contact.
        public let contact: String
        /// The twenty words of the share, in ASCII.
        public let words: Secret

        /// Makes the share of one contact.
        public init(_ contact: String, _ words: Secret) { (self.contact, self.words) = (contact, words) }
    }

    /// The name of the shares, which is the name of the key slot that they open.
    public let name: String
    /// The identifier that all shares of a set have, 15 bits.
    public let identifier: UInt16
    /// The number of shares that open the vault.
    public let threshold: Int
    /// The contacts with their shares.
    public let holders: [Holder]

    /// Makes a request for the shares of one split.
    public init(_ name: String, identifier: UInt16, threshold: Int, to holders: [Holder]) {
        (self.name, self.identifier, self.threshold, self.holders) = (name, identifier, threshold, holders)
    }
}

/// The shares that were sent to contacts, without their words.
public struct SharesSummary: Sendable, Hashable, Codable {
    /// A contact to whom a share was sent.
    public struct Holder: Sendable, Hashable, Codable {
        /// The alias of the contact; nil if the contact no longer has one.
        public let contact: String?
        /// The PeerID of the contact.
        public let peerID: PeerID
        /// When the contact was asked to remove the share, Unix seconds; nil if never.
        public let withdrawnAt: UInt64?
    }

    /// The name of the key slot that they open.
    public let name: String
    /// The identifier that all shares of the set have.
    public let identifier: UInt16
    /// The number of shares that open the vault.
    public let threshold: Int
    /// When the shares were made, Unix seconds.
    public let at: UInt64
    /// The contacts to whom shares were sent, in the order of the shares.
    public let holders: [Holder]
}
