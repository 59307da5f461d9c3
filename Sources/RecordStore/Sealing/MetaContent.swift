internal import VaultCrypto

/// The encoding of a record's info, without the secret (Schemas/vault-file.md section 3).
///
/// 01 ‖ 01 ‖ u64 revision ‖ uid 16 ‖ u64 created ‖ u64 modified ‖ u64 expires ‖ s16 kind ‖ s16 name ‖
/// s16 label ‖ u16 count ‖ count × (s16 name ‖ s16 value), names strictly ascending.
package enum MetaContent {
    private static let version: UInt8 = 1
    private static let recordType: UInt8 = 1

    /// The bytes of a record's meta.
    package static func encode(_ info: RecordInfo) -> [UInt8] {
        var bytes = [version, recordType]
        bytes.reserveCapacity(
            64 + info.id.name.utf8.count + info.label.utf8.count + info.attributes.encoded.count
        )
        bytes.append(bigEndian: info.revision)
        bytes.append(contentsOf: info.uid)
        bytes.append(bigEndian: info.created)
        bytes.append(bigEndian: info.modified)
        bytes.append(bigEndian: info.expires)
        bytes.append(short: info.id.kind.rawValue.utf8)
        bytes.append(short: info.id.name.utf8)
        bytes.append(short: info.label.utf8)
        bytes.append(bigEndian: UInt16(info.attributes.count))
        bytes += info.attributes.encoded
        return bytes
    }

    /// The ranges of kind and name in the content at `range`: the kind's text, and both with their lengths.
    ///
    /// Returns nil for bytes that no writer produces.
    ///
    /// - Throws: `StoreError.newerRecord` for another type than a record.
    package static func named(
        _ bytes: RawSpan,
        at range: Range<Int>
    ) throws(StoreError) -> (kind: Range<Int>, whole: Range<Int>)? {
        guard range.count <= RecordLimits.meta else { return nil }
        var reader = SpanReader(range)
        guard let found = reader.number(UInt8.self, of: bytes), found >= version,
            let type = reader.number(UInt8.self, of: bytes)
        else { return nil }
        guard type == recordType else { throw .newerRecord }
        guard reader.take(8 + RecordLimits.uid + 3 * 8) != nil else { return nil }
        let start = reader.offset
        guard let kind = reader.short(RecordLimits.kind, of: bytes),
            reader.short(RecordLimits.name, of: bytes) != nil
        else { return nil }
        return (kind, start..<reader.offset)
    }

    /// The revision in the content at `range`, at the same offset in every version.
    static func revision(_ bytes: RawSpan, at range: Range<Int>) -> Revision? {
        var reader = SpanReader(range)
        guard reader.take(2) != nil else { return nil }
        return reader.number(UInt64.self, of: bytes)
    }

    /// Whether the text at `range` is this kind.
    static func `is`(_ kind: RecordKind, _ bytes: RawSpan, at range: Range<Int>) -> Bool {
        kind.rawValue.utf8.count == range.count
            && zip(kind.rawValue.utf8, range).allSatisfy { $0 == bytes.byte(at: $1) }
    }

    /// Reads the content at `range`; nil for bytes that no writer produces.
    ///
    /// A later version only appends fields, so the known fields of its records can be shown; the record is marked
    /// newer.
    package static func decode(_ bytes: RawSpan, at range: Range<Int>, floor: UInt64) -> RecordInfo? {
        var reader = SpanReader(range)
        guard let found = reader.number(UInt8.self, of: bytes), reader.take(1) != nil,
            let revision = reader.number(UInt64.self, of: bytes), revision > 0,
            let uid = reader.take(RecordLimits.uid),
            let created = reader.number(UInt64.self, of: bytes),
            let modified = reader.number(UInt64.self, of: bytes),
            let expires = reader.number(UInt64.self, of: bytes),
            let kind = reader.text(RecordLimits.kind, of: bytes),
            let name = reader.text(RecordLimits.name, of: bytes),
            let label = reader.text(RecordLimits.label, of: bytes),
            let attributes = attributes(bytes, &reader),
            found > version || reader.isAtEnd,
            let id = try? RecordID(kind, name)
        else { return nil }
        return RecordInfo(
            id: id,
            revision: revision,
            uid: SpanReader.copy(uid, of: bytes),
            created: created,
            modified: modified,
            expires: expires,
            label: label,
            attributes: attributes,
            predatesRestore: revision < floor,
            isNewer: found > version
        )
    }

    private static func attributes(_ bytes: RawSpan, _ reader: inout SpanReader) -> Attributes? {
        guard let count = reader.number(UInt16.self, of: bytes), Int(count) <= RecordLimits.attributes else {
            return nil
        }
        let start = reader.offset
        var last: Range<Int>?
        for _ in 0..<count {
            guard let name = reader.short(RecordLimits.attributeName, of: bytes), !name.isEmpty,
                SpanReader.isText(name, of: bytes),
                last.map({ SpanReader.precedes($0, name, of: bytes) }) ?? true,
                reader.short(RecordLimits.attributeValue, of: bytes) != nil
            else { return nil }
            last = name
        }
        return Attributes(count: Int(count), encoded: SpanReader.copy(start..<reader.offset, of: bytes))
    }
}
