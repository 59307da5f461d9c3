internal import RecordStore
internal import VaultCrypto

/// A record as a page or the root stores it.
struct StoredRecord: Sendable {
    /// The longest body, in bytes, that is stored beside the meta content; a longer body has a page of its own.
    static let longestInline = 8 << 10

    /// The storage of the body.
    enum Body: Sendable {
        case inline(Secret)
        /// A page that contains only this body, and the body's length in bytes.
        case page(PageReference, Int)
    }

    /// The info from the meta content and the root's floor.
    let info: RecordInfo
    /// The meta content, byte for byte: a newer program may have appended to it.
    let meta: [UInt8]
    let body: Body

    var id: RecordID { info.id }

    /// The page that contains only the body; nil if the body is stored inline.
    var bodyPage: PageReference? {
        if case .page(let page, _) = body { page } else { nil }
    }
}

/// The root's entry for a record that changed recently.
enum Entry: Sendable {
    case record(StoredRecord)
    /// The record was deleted, although a page may still contain it.
    case deleted(RecordID)

    var id: RecordID {
        switch self {
        case .record(let record): record.id
        case .deleted(let id): id
        }
    }

    var record: StoredRecord? {
        if case .record(let record) = self { record } else { nil }
    }
}

extension Entry {
    private static let inline: UInt8 = 0
    private static let page: UInt8 = 1
    private static let gone: UInt8 = 2

    /// The size of the encoded entry in bytes.
    var size: Int {
        switch self {
        case .record(let record):
            switch record.body {
            case .inline(let body): 1 + 4 + record.meta.count + 4 + body.count
            case .page: 1 + 4 + record.meta.count + PageID.size + 4 + HMACSHA256.tagSize
            }
        case .deleted(let id): 1 + 2 + id.kind.rawValue.utf8.count + 2 + id.name.utf8.count
        }
    }

    /// Appends the encoded entry as pieces.
    func append(to pieces: inout [any ByteSource]) {
        switch self {
        case .record(let record):
            var head: [UInt8] = [record.bodyPage == nil ? Self.inline : Self.page]
            head.append(long: record.meta)
            switch record.body {
            case .inline(let body):
                head.append(bigEndian: UInt32(truncatingIfNeeded: body.count))
                pieces += [head, body] as [any ByteSource]
            case .page(let page, let count):
                head += page.id.bytes
                head.append(bigEndian: UInt32(truncatingIfNeeded: count))
                pieces.append(head + page.tag)
            }
        case .deleted(let id):
            pieces.append([Self.gone] + id.encoded)
        }
    }

    /// Decodes the next entry; returns nil if no writer produces such bytes.
    ///
    /// `whole` is the secret that contains `bytes`; an inline body is a part of it. Throws `newerRecord` for another type than
    /// a record.
    static func read(
        _ bytes: RawSpan,
        _ reader: inout SpanReader,
        of whole: Secret,
        floor: UInt64,
        generation: UInt64
    ) throws(StoreError) -> Entry? {
        guard let kind = reader.number(UInt8.self, of: bytes), kind <= gone else { return nil }
        if kind == gone { return RecordID.read(bytes, &reader).map { .deleted($0) } }
        guard let size = reader.number(UInt32.self, of: bytes), size <= RecordLimits.meta,
            let meta = reader.take(Int(size)), try MetaContent.named(bytes, at: meta) != nil,
            let info = MetaContent.decode(bytes, at: meta, floor: floor), info.revision <= generation
        else { return nil }
        let body: StoredRecord.Body
        if kind == inline {
            guard let count = reader.number(UInt32.self, of: bytes), count <= StoredRecord.longestInline,
                let range = reader.take(Int(count))
            else { return nil }
            do { body = .inline(try whole.part(range)) } catch { throw StoreError(error) }
        } else {
            guard let id = reader.take(PageID.size), let count = reader.number(UInt32.self, of: bytes),
                count <= RecordLimits.body, let tag = reader.take(HMACSHA256.tagSize)
            else { return nil }
            let page = PageReference(
                id: PageID(bytes: SpanReader.copy(id, of: bytes)),
                tag: SpanReader.copy(tag, of: bytes)
            )
            body = .page(page, Int(count))
        }
        return .record(StoredRecord(info: info, meta: SpanReader.copy(meta, of: bytes), body: body))
    }
}

extension RecordID {
    /// s16 kind ‖ s16 name.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(short: kind.rawValue.utf8)
        bytes.append(short: name.utf8)
        return bytes
    }

    /// Reads the next id; nil for anything that no writer produces.
    static func read(_ bytes: RawSpan, _ reader: inout SpanReader) -> RecordID? {
        guard let kind = reader.text(RecordLimits.kind, of: bytes),
            let name = reader.text(RecordLimits.name, of: bytes)
        else { return nil }
        return try? RecordID(kind, name)
    }
}
