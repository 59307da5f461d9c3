internal import RecordStore
internal import VaultCrypto

/// `hsip-vault:2 ` B64(key) ` ` B64(content) ` ` B64(tag)
extension Root {
    static let magic = "hsip-vault"
    private static let markSize = 16

    /// Encodes the root as the text of its item.
    ///
    /// - Throws: `invalidRecord(.body)` if the text is too long for one item; `outOfMemory`.
    func text() throws(StoreError) -> Secret {
        let content: Secret
        do { content = Secret(try SecretBytes.joined(pieces)) } catch { throw StoreError(error) }
        let text = try MarkedText.encode(Self.magic, [keys.key, content, keys.tag(content, .root)])
        guard text.count <= LargeItems.longest else { throw .invalidRecord(.body) }
        return text
    }

    private var pieces: [any ByteSource] {
        var head = vaultID
        head.append(bigEndian: epoch)
        head.append(bigEndian: generation)
        head.append(bigEndian: floor)
        head += mark
        head.append(bigEndian: records)
        head.append(bigEndian: UInt32(truncatingIfNeeded: pages.count))
        for page in pages {
            head += page.reference.id.bytes + page.first.encoded + page.last.encoded
            head.append(bigEndian: UInt32(truncatingIfNeeded: page.count))
            head += page.reference.tag
        }
        head.append(bigEndian: UInt32(truncatingIfNeeded: recent.count))
        var pieces: [any ByteSource] = [head]
        for entry in recent.values.sorted(by: { $0.id < $1.id }) { entry.append(to: &pieces) }
        var tail: [UInt8] = []
        tail.append(bigEndian: UInt32(truncatingIfNeeded: pending.count))
        for id in pending.sorted() { tail += id.encoded }
        pieces.append(tail)
        return pieces
    }

    /// Decodes a root; returns nil if no writer produces such a text.
    ///
    /// - Throws: `newerFormat`; `newerRecord`; `outOfMemory`.
    init?(_ text: RawSpan) throws(StoreError) {
        guard let fields = try MarkedText.decode(text, Self.magic, fields: 3),
            fields[0].count == MarkKeys.size
        else { return nil }
        let keys = try MarkKeys(fields[0])
        let content = fields[1]
        guard fields[2].count == HMACSHA256.tagSize, ConstantTime.equal(keys.tag(content, .root), fields[2]),
            let root = try content.withBytes({ bytes throws(StoreError) in
                try Self.read(bytes, content, keys)
            })
        else { return nil }
        self = root
    }

    private static func read(_ bytes: RawSpan, _ whole: Secret, _ keys: MarkKeys) throws(StoreError) -> Root?
    {
        var reader = SpanReader(0..<bytes.byteCount)
        guard let vaultID = reader.take(16), let epoch = reader.number(UInt32.self, of: bytes), epoch > 0,
            let generation = reader.number(UInt64.self, of: bytes), (1...lastGeneration).contains(generation),
            let floor = reader.number(UInt64.self, of: bytes), floor <= generation,
            let mark = reader.take(markSize), let records = reader.number(UInt64.self, of: bytes)
        else { return nil }
        var root = Root(
            vaultID: SpanReader.copy(vaultID, of: bytes),
            keys: keys,
            epoch: epoch,
            generation: generation,
            floor: floor,
            mark: SpanReader.copy(mark, of: bytes),
            records: records
        )
        guard let pages = readPages(bytes, &reader), try root.readRecent(bytes, &reader, whole),
            let pending = list(bytes, &reader, { RecordID.read(bytes, &$0) }), reader.isAtEnd,
            zip(pending, pending.dropFirst()).allSatisfy(<)
        else { return nil }
        root.pages = pages
        root.pending = pending
        return root
    }

    /// Decodes a `u32` count and that many elements.
    private static func list<Element>(
        _ bytes: RawSpan,
        _ reader: inout SpanReader,
        _ next: (inout SpanReader) -> Element?
    ) -> [Element]? {
        guard let count = reader.number(UInt32.self, of: bytes) else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let element = next(&reader) else { return nil }
            elements.append(element)
        }
        return elements
    }

    private static func readPages(_ bytes: RawSpan, _ reader: inout SpanReader) -> [PageFacts]? {
        let pages = list(bytes, &reader) { reader -> PageFacts? in
            guard let id = reader.take(PageID.size), let first = RecordID.read(bytes, &reader),
                let last = RecordID.read(bytes, &reader), let count = reader.number(UInt32.self, of: bytes),
                count > 0, let tag = reader.take(HMACSHA256.tagSize), first <= last,
                (first == last) == (count == 1)
            else { return nil }
            return PageFacts(
                reference: PageReference(
                    id: PageID(bytes: SpanReader.copy(id, of: bytes)),
                    tag: SpanReader.copy(tag, of: bytes)
                ),
                first: first,
                last: last,
                count: Int(count)
            )
        }
        guard let pages, zip(pages, pages.dropFirst()).allSatisfy({ $0.last < $1.first }) else { return nil }
        return pages
    }

    private mutating func readRecent(
        _ bytes: RawSpan,
        _ reader: inout SpanReader,
        _ whole: Secret
    ) throws(StoreError) -> Bool {
        guard let count = reader.number(UInt32.self, of: bytes) else { return false }
        var previous: RecordID?
        for _ in 0..<count {
            guard
                let entry = try Entry.read(bytes, &reader, of: whole, floor: floor, generation: generation),
                previous.map({ $0 < entry.id }) ?? true
            else { return false }
            recent[entry.id] = entry
            previous = entry.id
        }
        return true
    }
}
