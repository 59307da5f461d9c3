/// Reads XML 1.0 from locked memory, element by element.
///
/// Texts are decoded in place, because a general parser would copy secret values. The reader supports only the parts
/// that exports of passwords need: elements, attributes, texts, CDATA, comments, instructions, the five entities of XML
/// and character references. A document type is refused before it can define other entities.
struct XMLReader {
    /// The start of an element.
    struct Element {
        let name: Range<Int>
        let attributes: [(name: Range<Int>, value: Range<Int>)]

        func isCalled(_ letters: StaticString, _ bytes: DocumentBytes) -> Bool {
            name.count == letters.utf8CodeUnitCount && bytes.has(letters, at: name.lowerBound)
        }

        /// Whether an attribute has the value `True`, as KeePass writes it.
        func says(_ letters: StaticString, _ bytes: DocumentBytes) -> Bool {
            attributes.contains {
                $0.name.count == letters.utf8CodeUnitCount && bytes.has(letters, at: $0.name.lowerBound)
                    && $0.value.count == 4 && bytes.text($0.value)?.lowercased() == "true"
            }
        }
    }

    var place: Int
    /// The names of the open elements.
    var open: [Range<Int>] = []
    /// Whether the element that was opened last was closed by its own `/>`.
    var isClosed = false
    var elements = 0
    var lines = LineCount()

    init(_ bytes: DocumentBytes) {
        place = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
    }

    /// Reads the start of the outermost element.
    ///
    /// - Throws: `documentType`; `malformed`.
    mutating func root(_ bytes: DocumentBytes) throws(ImportError) -> Element {
        try skipMisc(bytes)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "<") else { throw refusal(bytes) }
        return try start(bytes)
    }

    /// Checks that only comments, instructions and blanks follow.
    mutating func end(_ bytes: DocumentBytes) throws(ImportError) {
        try skipMisc(bytes)
        guard place == bytes.count, open.isEmpty else { throw refusal(bytes) }
    }

    /// Reads the start of the next element within the open element; nil at the end of the open element.
    ///
    /// Text between elements is ignored.
    mutating func child(_ bytes: DocumentBytes) throws(ImportError) -> Element? {
        guard !closeEmpty() else { return nil }
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else {
                place += 1
                continue
            }
            if try skipAside(bytes) { continue }
            if bytes.has("<![CDATA[", at: place) {
                place = try find("]]>", from: place + 9, bytes) + 3
                continue
            }
            guard bytes.has("</", at: place) else { return try start(bytes) }
            try endTag(bytes)
            return nil
        }
        throw refusal(bytes)
    }

    /// Skips the rest of the open element.
    mutating func skip(_ bytes: DocumentBytes) throws(ImportError) {
        let depth = open.count
        guard !closeEmpty() else { return }
        while open.count >= depth {
            if try child(bytes) == nil, open.count < depth { return }
        }
    }

    /// Leaves an element that its own `/>` closed; false if there is none.
    mutating func closeEmpty() -> Bool {
        guard isClosed else { return false }
        isClosed = false
        open.removeLast()
        return true
    }

    /// The next position of these letters.
    func find(
        _ letters: StaticString,
        from start: Int,
        _ bytes: DocumentBytes
    ) throws(ImportError) -> Int {
        var offset = start
        while offset < bytes.count {
            if bytes.has(letters, at: offset) { return offset }
            offset += 1
        }
        throw refusal(bytes)
    }

    func refusal(_ bytes: DocumentBytes) -> ImportError { .malformed(line: lines.line(of: place, bytes)) }
}

/// Counts the lines of a document that is decoded in place, for error messages.
///
/// Decoded text may have more line feeds than were written, or some of them twice. So lines are counted before decoding,
/// and decoded text is skipped.
struct LineCount {
    private var place = 0
    private var line = 1

    /// Counts the lines up to a position, before any text after the last position is decoded.
    mutating func advance(to offset: Int, _ bytes: DocumentBytes) {
        line = line(of: offset, bytes)
        place = max(place, offset)
    }

    /// Skips text up to a position that was decoded, with its number of line feeds.
    mutating func pass(to offset: Int, over lineFeeds: Int = 0) {
        place = max(place, offset)
        line += lineFeeds
    }

    /// The line of a position that is not before the last one, from 1.
    func line(of offset: Int, _ bytes: DocumentBytes) -> Int {
        var found = line
        var next = place
        while next < min(offset, bytes.count) {
            if bytes[next] == 0x0A { found += 1 }
            next += 1
        }
        return found
    }
}
