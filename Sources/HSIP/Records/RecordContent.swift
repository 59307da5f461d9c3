public import VaultCrypto

/// The bytes of the seven record kinds (Schemas/record-content.md).
///
/// The code does not depend on a store. Every content begins with a version byte. A reader accepts exactly the bytes that
/// a writer writes: no slack, no unknown flags, no bytes after the end.
public enum RecordContent {
    /// The first version of every kind; further versions are declared with their kind.
    public static let version: UInt8 = 1

    /// The version of a clock mark with a jump that is not confirmed, and the mark before it.
    private static let certainVersion: UInt8 = 2

    /// The version of an offer or pairing with something of suite 02, which an older program must not read.
    static let suiteTwoVersion: UInt8 = 2

    static func version(of suite: Suite) -> UInt8 { suite == .two ? suiteTwoVersion : version }

    static func encode(_ secret: OneTimeSecret, _ writer: inout ContentWriter) throws(HSIPError) {
        try writer.raw(secret.x25519)
        if let seed = secret.kemSeed { try writer.raw(seed) }
    }

    /// Encodes the record `hsip.clock/mark`.
    public static func encode(_ clock: ClockMark) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: 16)
        try writer.byte(clock.certain == nil ? version : certainVersion)
        try writer.time(clock.mark)
        try writer.time(clock.jumpAt)
        if let certain = clock.certain { try writer.time(certain) }
        return try writer.content()
    }

    /// Decodes the record `hsip.clock/mark`.
    public static func clock(_ content: Secret) throws(HSIPError) -> ClockMark {
        var reader = ContentReader(content)
        let kind = try reader.version(upTo: certainVersion)
        var mark = ClockMark(mark: try reader.time(), jumpAt: try reader.optionalTime())
        if kind == certainVersion { mark.certain = try reader.time() }
        try reader.finish()
        return mark
    }

    /// Encodes the record `hsip.identity/self`, which includes the seed.
    public static func encode(_ identity: Identity) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: 256)
        try writer.byte(version)
        try writer.raw(identity.seed)
        try writer.raw(identity.publicKey)
        try writer.time(identity.created)
        try writer.short(Array(identity.name.utf8))
        try writer.raw(identity.revocation.bytes)
        return try writer.content()
    }

    /// Decodes the record `hsip.identity/self`.
    public static func identity(_ content: Secret) throws(HSIPError) -> Identity {
        var reader = ContentReader(content)
        try reader.version()
        let seed = try reader.secret(32)
        let key = try reader.take(32)
        let created = try reader.time()
        let name = try reader.shortText()
        let notice = try RevokeCode(bytes: try reader.take(RevokeCode.identityByteCount))
        try reader.finish()
        return try Identity(
            seed: seed,
            publicKey: key,
            name: name,
            created: created,
            revocation: notice
        )
    }

    /// Encodes the record `hsip.revoked/<PeerID hex>`.
    public static func encode(_ revoked: RevokedIdentity) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: 128)
        try writer.byte(version)
        try writer.time(revoked.seenAt)
        try writer.raw(revoked.notice.bytes)
        return try writer.content()
    }

    /// Decodes the record `hsip.revoked/<PeerID hex>`.
    public static func revoked(_ content: Secret) throws(HSIPError) -> RevokedIdentity {
        var reader = ContentReader(content)
        try reader.version()
        let seenAt = try reader.time()
        let notice = try RevokeCode(bytes: try reader.take(RevokeCode.identityByteCount))
        try reader.finish()
        return RevokedIdentity(notice: notice, seenAt: seenAt)
    }

    /// Encodes the record `hsip.seen/<ref hex>.<x>`: the nonces, ascending, 12 bytes each.
    public static func encode(_ seen: SeenNonces) throws(HSIPError) -> Secret {
        var writer = try ContentWriter(capacity: 1 + seen.nonces.count * 12)
        try writer.byte(version)
        try writer.raw(Array(seen.nonces.joined()))
        return try writer.content()
    }

    /// Decodes the record `hsip.seen/<ref hex>.<x>`; throws `malformed` if the nonces do not ascend.
    public static func seen(_ content: Secret) throws(HSIPError) -> SeenNonces {
        var reader = ContentReader(content)
        try reader.version()
        guard (content.count - 1).isMultiple(of: 12) else { throw .malformed }
        var nonces: [[UInt8]] = []
        for _ in 0..<(content.count - 1) / 12 {
            let nonce = try reader.take(12)
            if let last = nonces.last, !last.lexicographicallyPrecedes(nonce) { throw .malformed }
            nonces.append(nonce)
        }
        return SeenNonces(nonces)
    }
}
