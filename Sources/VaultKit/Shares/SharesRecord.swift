internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

/// The vault's record of shares that went to contacts (Schemas/shares.md): each contact, and its sealed
/// parcel.
///
/// The record has no word of a share.
struct SharesRecord: Sendable {
    /// A parcel for one contact.
    struct Holder: Sendable {
        let peerID: PeerID
        /// The number of the gift, 16 bytes.
        let gift: [UInt8]
        let parcel: [UInt8]
    }

    static let recordKind = "vault.shares"
    /// Shares that one making has at most.
    static let maximum = 16

    private static let version: UInt8 = 1
    /// Bytes of a parcel with twenty words, with room to spare.
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

    /// Reads a record; nil for one that is not in its form.
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
    /// The records of shares that went to contacts, the oldest first; unreadable ones are left out.
    func shares() throws -> [SharesRecord] {
        var found: [SharesRecord] = []
        for info in try survey(try RecordKind(SharesRecord.recordKind)).records where !info.isNewer {
            guard let record = try find(info.id), let shares = SharesRecord(record) else { continue }
            found.append(shares)
        }
        return found.sorted { ($0.at, $0.identifier) < ($1.at, $1.identifier) }
    }
}
