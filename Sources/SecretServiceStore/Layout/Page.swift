internal import RecordStore
internal import VaultCrypto

/// A page of records, or of one long body (Schemas/keyring-vault.md section 4).
///
/// `hsip-page:2 ` B64(id ‖ content) ` ` B64(tag)
enum Page {
    static let magic = "hsip-page"
    /// The most bytes of entries in a page with more than one entry, so that its text stays below 64 KiB.
    static let largest = 32 << 10

    /// A page to write.
    struct Draft: Sendable {
        let reference: PageReference
        let text: Secret
    }

    /// Makes the page of a long body.
    static func draft(body: Secret, _ keys: MarkKeys, _ entropy: Entropy) throws(StoreError) -> Draft {
        try draft([body], .body, keys, entropy)
    }

    /// Makes a page of records, which are ascending.
    static func draft(
        _ records: [StoredRecord],
        _ keys: MarkKeys,
        _ entropy: Entropy
    ) throws(StoreError) -> Draft {
        var pieces: [any ByteSource] = []
        for record in records { Entry.record(record).append(to: &pieces) }
        return try draft(pieces, .page, keys, entropy)
    }

    private static func draft(
        _ pieces: [any ByteSource],
        _ place: MarkKeys.Place,
        _ keys: MarkKeys,
        _ entropy: Entropy
    ) throws(StoreError) -> Draft {
        let id = PageID(bytes: entropy.bytes(PageID.size))
        let content: Secret
        do {
            content = Secret(try SecretBytes.joined([id.bytes] as [any ByteSource] + pieces))
        } catch {
            throw StoreError(error)
        }
        let tag = keys.tag(content, place)
        let text = try MarkedText.encode(magic, [content, tag])
        guard text.count <= LargeItems.longest else { throw .invalidRecord(.body) }
        return Draft(reference: PageReference(id: id, tag: tag), text: text)
    }

    /// Decodes the content of a page's text, without a check of its mark; returns nil if it is malformed.
    static func content(_ text: RawSpan) throws(StoreError) -> (reference: PageReference, content: Secret)? {
        let fields: [Secret]?
        do throws(StoreError) {
            fields = try MarkedText.decode(text, magic, fields: 2)
        } catch {
            // No root of this format names a page of a later one.
            if case .newerFormat = error { return nil }
            throw error
        }
        guard let fields, fields[0].count >= PageID.size, fields[1].count == HMACSHA256.tagSize else {
            return nil
        }
        let id = fields[0].withBytes { $0.extracting(0..<PageID.size).copied() }
        let tag = fields[1].withBytes { $0.copied() }
        return (PageReference(id: PageID(bytes: id), tag: tag), fields[0])
    }

    /// Returns whether the mark of a content is valid.
    static func isOurs(
        _ found: (reference: PageReference, content: Secret),
        _ keys: MarkKeys,
        _ place: MarkKeys.Place
    ) -> Bool {
        ConstantTime.equal(keys.tag(found.content, place), found.reference.tag)
    }

    /// Decodes the records of a page; returns nil if no writer produces such content.
    static func records(
        _ content: Secret,
        floor: UInt64,
        generation: UInt64
    ) throws(StoreError) -> [StoredRecord]? {
        try content.withBytes { bytes throws(StoreError) -> [StoredRecord]? in
            var reader = SpanReader(PageID.size..<content.count)
            var records: [StoredRecord] = []
            while !reader.isAtEnd {
                guard
                    let record = try Entry.read(
                        bytes,
                        &reader,
                        of: content,
                        floor: floor,
                        generation: generation
                    )?.record,
                    records.last.map({ $0.id < record.id }) ?? true
                else { return nil }
                records.append(record)
            }
            return records
        }
    }

    /// Returns the long body in the content of a page.
    static func body(_ content: Secret) throws(StoreError) -> Secret {
        do { return try content.part(PageID.size..<content.count) } catch { throw StoreError(error) }
    }
}

/// The id of a page: 8 random bytes, never used twice.
struct PageID: Hashable, Sendable {
    /// The size of an id in bytes.
    static let size = 8

    let bytes: [UInt8]

    /// The id in hexadecimal, as the value of the attribute `page`.
    var hex: String { Hex.encode(bytes) }
}

/// A reference to a page in the root or an entry; only content with this mark is valid.
struct PageReference: Equatable, Sendable {
    let id: PageID
    /// The authenticated mark of the page, 32 bytes.
    let tag: [UInt8]
}
