internal import RecordStore
internal import VaultCrypto

/// The secret of an item of form `record` of format 1: `hsip:1:` B64(meta content) `:` B64(body).
enum RecordText {
    private static let prefix = Array("hsip:1:".utf8)
    private static let colon: UInt8 = 0x3A

    /// Reads a text; nil for anything that no writer produces.
    ///
    /// - Throws: `newerRecord` for another type than a record; `outOfMemory`.
    static func decode(
        _ text: RawSpan,
        floor: UInt64,
        withBody: Bool
    ) throws(StoreError) -> (info: RecordInfo, body: Secret?)? {
        guard let parts = parts(of: text),
            let info = try meta(text.extracting(parts.meta), floor: floor)
        else { return nil }
        // What a newer program appended may go with another kind of body.
        guard withBody, !info.isNewer else { return (info, nil) }
        do {
            guard let body = try SecretBase64.decode(text.extracting(parts.body)),
                body.count <= RecordLimits.body
            else { return nil }
            return (info, Secret(body))
        } catch {
            throw StoreError(error)
        }
    }

    /// Reads meta content in base64.
    static func meta(_ text: RawSpan, floor: UInt64) throws(StoreError) -> RecordInfo? {
        guard text.byteCount <= SecretBase64.encodedCount(RecordLimits.meta),
            let content = StrictBase64.decode(text.copied())
        else { return nil }
        return try content.withBytes { bytes throws(StoreError) -> RecordInfo? in
            guard try MetaContent.named(bytes, at: 0..<content.count) != nil else { return nil }
            return MetaContent.decode(bytes, at: 0..<content.count, floor: floor)
        }
    }

    /// Where meta content and body lie; both within their limits.
    private static func parts(of text: RawSpan) -> (meta: Range<Int>, body: Range<Int>)? {
        let longest = SecretBase64.encodedCount(RecordLimits.meta)
        guard text.byteCount > prefix.count,
            prefix.indices.allSatisfy({ text.byte(at: $0) == prefix[$0] })
        else { return nil }
        var end = prefix.count
        while end < text.byteCount, end - prefix.count <= longest, text.byte(at: end) != colon { end += 1 }
        guard end < text.byteCount, text.byte(at: end) == colon else { return nil }
        let body = (end + 1)..<text.byteCount
        guard body.count <= SecretBase64.encodedCount(RecordLimits.body) else { return nil }
        return (prefix.count..<end, body)
    }
}
