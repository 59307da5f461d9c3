internal import RecordStore
internal import VaultCrypto

/// A change set of format 1 that has happened, though perhaps not all of its items are changed yet.
///
/// `hsip-redo:1 <generation> B64(changes)`
struct Redo: Sendable {
    /// One change, worked out.
    enum Step: Sendable {
        case put(RecordInfo, Secret)
        case delete(RecordID)

        var id: RecordID {
            switch self {
            case .put(let info, _): info.id
            case .delete(let id): id
            }
        }
    }

    /// Most bytes of all changes together: in base64 they still fit one message.
    static let largest = 29 << 20
    /// The text while nothing is to be done.
    static let idle = Array("hsip-redo:1 idle".utf8)
    private static let magic = Array("hsip-redo:".utf8)
    private static let format: UInt32 = 1

    /// The revision of every record that it writes.
    let generation: UInt64
    let steps: [Step]

    /// Reads a text; nil when nothing is to be done: idle, or never finished.
    ///
    /// - Throws: `tampered(.head)` for anything that no writer produces; `newerFormat`.
    static func read(_ text: RawSpan) throws(StoreError) -> Redo? {
        guard text.byteCount > 0, !ConstantTime.equal(text, idle) else { return nil }
        guard let (generation, rest) = try header(of: text) else { throw .tampered(.head) }
        let changes: SecretBytes?
        do {
            changes = try SecretBase64.decode(text.extracting(rest))
        } catch {
            throw StoreError(error)
        }
        guard let changes,
            let steps = try changes.withBytes({ bytes throws(StoreError) in
                try Self.steps(bytes, generation)
            })
        else { throw .tampered(.head) }
        return Redo(generation: generation, steps: steps)
    }

    /// The generation, and where the changes lie; nil for anything malformed.
    private static func header(of text: RawSpan) throws(StoreError) -> (UInt64, Range<Int>)? {
        let longest = magic.count + 32
        let start = text.extracting(0..<min(longest, text.byteCount)).copied()
        guard start.starts(with: magic) else { return nil }
        let fields = start.dropFirst(magic.count).split(separator: 0x20, omittingEmptySubsequences: false)
        guard fields.count >= 3, let format = UInt32(String(decoding: fields[0], as: UTF8.self)) else {
            return nil
        }
        guard format <= self.format else { throw .newerFormat(found: format, supported: self.format) }
        guard let generation = UInt64(String(decoding: fields[1], as: UTF8.self)),
            start.starts(with: magic + Array("\(format) \(generation) ".utf8)),
            text.byteCount - fields[2].startIndex <= SecretBase64.encodedCount(largest)
        else { return nil }
        return (generation, fields[2].startIndex..<text.byteCount)
    }

    private static func steps(_ bytes: RawSpan, _ generation: UInt64) throws(StoreError) -> [Step]? {
        var reader = SpanReader(0..<bytes.byteCount)
        // A change takes more than one byte, so a count beyond the bytes is refused before it is believed.
        guard let count = reader.number(UInt32.self, of: bytes), Int(count) <= bytes.byteCount else {
            return nil
        }
        var (steps, ids): ([Step], Set<RecordID>) = ([], [])
        for _ in 0..<count {
            let step =
                switch reader.number(UInt8.self, of: bytes) {
                case 1: try put(bytes, &reader, generation)
                case 2: delete(bytes, &reader)
                default: nil as Step?
                }
            guard let step, ids.insert(step.id).inserted else { return nil }
            steps.append(step)
        }
        return reader.isAtEnd ? steps : nil
    }

    private static func put(
        _ bytes: RawSpan,
        _ reader: inout SpanReader,
        _ generation: UInt64
    ) throws(StoreError) -> Step? {
        guard let metaSize = reader.number(UInt32.self, of: bytes), metaSize <= RecordLimits.meta,
            let meta = reader.take(Int(metaSize)),
            let bodySize = reader.number(UInt32.self, of: bytes), bodySize <= RecordLimits.body,
            let body = reader.take(Int(bodySize)),
            try MetaContent.named(bytes, at: meta) != nil,
            let info = MetaContent.decode(bytes, at: meta, floor: 0), info.revision == generation,
            !info.isNewer
        else { return nil }
        do {
            return .put(info, Secret(try SecretBytes(copying: bytes.extracting(body))))
        } catch {
            throw StoreError(error)
        }
    }

    private static func delete(_ bytes: RawSpan, _ reader: inout SpanReader) -> Step? {
        guard let kind = reader.text(RecordLimits.kind, of: bytes),
            let name = reader.text(RecordLimits.name, of: bytes), let id = try? RecordID(kind, name)
        else { return nil }
        return .delete(id)
    }
}
