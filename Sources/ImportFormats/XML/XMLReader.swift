/// Reads XML 1.0 out of locked memory, element by element; texts are decoded where they stand, so that no value is
/// copied by a parser that does not know it is secret.
///
/// What exports of passwords need and nothing else: elements, attributes, texts, CDATA, comments, instructions,
/// the five entities of XML and character references. A document type is refused before it could define anything,
/// and with it every other entity.
struct XMLReader {
    /// The start of an element.
    struct Element {
        let name: Range<Int>
        let attributes: [(name: Range<Int>, value: Range<Int>)]

        func isCalled(_ letters: StaticString, _ bytes: DocumentBytes) -> Bool {
            name.count == letters.utf8CodeUnitCount && bytes.has(letters, at: name.lowerBound)
        }

        /// Whether an attribute says `True`, as KeePass writes it.
        func says(_ letters: StaticString, _ bytes: DocumentBytes) -> Bool {
            attributes.contains {
                $0.name.count == letters.utf8CodeUnitCount && bytes.has(letters, at: $0.name.lowerBound)
                    && $0.value.count == 4 && bytes.text($0.value)?.lowercased() == "true"
            }
        }
    }

    private var place: Int
    private var open: [Range<Int>] = []
    /// The element that was opened last has been closed by its own `/>`.
    private var isClosed = false
    private var elements = 0

    init(_ bytes: DocumentBytes) {
        place = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
    }

    /// The outermost element.
    ///
    /// - Throws: `documentType`; `malformed`.
    mutating func root(_ bytes: DocumentBytes) throws(ImportError) -> Element {
        try skipMisc(bytes)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "<") else { throw refusal(bytes) }
        return try start(bytes)
    }

    /// Finds that nothing but comments follows.
    mutating func end(_ bytes: DocumentBytes) throws(ImportError) {
        try skipMisc(bytes)
        guard place == bytes.count, open.isEmpty else { throw refusal(bytes) }
    }

    /// The next element within the one that is open; nil once that has ended.
    ///
    /// Text between elements says nothing.
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

    /// The text of the element that is open, up to its end, decoded where it stands.
    ///
    /// - Throws: `malformed` when it holds elements or entities of its own.
    mutating func text(_ bytes: DocumentBytes) throws(ImportError) -> Range<Int> {
        guard !closeEmpty() else { return place..<place }
        let start = place
        var end = place
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"):
                if try skipAside(bytes) { continue }
                if bytes.has("<![CDATA[", at: place) {
                    let close = try find("]]>", from: place + 9, bytes)
                    while place + 9 < close { end = try copy(bytes, from: place + 9, to: end, before: close) }
                    place = close + 3
                    continue
                }
                guard bytes.has("</", at: place) else { throw refusal(bytes) }
                try endTag(bytes)
                return start..<end
            case UInt8(ascii: "&"): end = try reference(bytes, to: end)
            default:
                end = try copy(bytes, from: place, to: end, before: bytes.count)
            }
        }
        throw refusal(bytes)
    }

    /// Passes over the rest of the element that is open.
    mutating func skip(_ bytes: DocumentBytes) throws(ImportError) {
        let depth = open.count
        guard !closeEmpty() else { return }
        while open.count >= depth {
            if try child(bytes) == nil, open.count < depth { return }
        }
    }

    private mutating func closeEmpty() -> Bool {
        guard isClosed else { return false }
        isClosed = false
        open.removeLast()
        return true
    }

    /// One character of data as the receiver sees it: line ends become line feeds (XML section 2.11).
    private mutating func copy(
        _ bytes: DocumentBytes,
        from source: Int,
        to end: Int,
        before limit: Int
    ) throws(ImportError) -> Int {
        var byte = bytes[source]
        var taken = 1
        if byte == 0x0D {
            if source + 1 < limit, bytes[source + 1] == 0x0A { taken = 2 }
            byte = 0x0A
        }
        guard byte >= 0x20 || byte == 0x0A || byte == 0x09 else { throw refusal(bytes) }
        bytes[end] = byte
        place += taken
        return end + 1
    }

    private mutating func reference(_ bytes: DocumentBytes, to end: Int) throws(ImportError) -> Int {
        // The longest one is &#x10FFFF; with some zeros.
        let limit = min(place + 16, bytes.count)
        guard let close = (place..<limit).first(where: { bytes[$0] == UInt8(ascii: ";") }) else {
            throw refusal(bytes)
        }
        let scalar: Unicode.Scalar
        switch bytes.text(place + 1..<close) {
        case "amp": scalar = "&"
        case "lt": scalar = "<"
        case "gt": scalar = ">"
        case "quot": scalar = "\""
        case "apos": scalar = "'"
        case let text?:
            guard text.hasPrefix("#"), let number = Self.number(text.dropFirst()),
                let found = Unicode.Scalar(number), number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number)
            else { throw refusal(bytes) }
            scalar = found
        case nil: throw refusal(bytes)
        }
        place = close + 1
        return bytes.write(scalar, at: end)
    }

    private static func number(_ text: Substring) -> UInt32? {
        let isHex = text.hasPrefix("x")
        let digits = isHex ? text.dropFirst() : text
        guard digits.utf8.allSatisfy({ $0 < 0x80 }), digits.first?.isHexDigit == true else { return nil }
        return UInt32(digits, radix: isHex ? 16 : 10)
    }

    private func find(
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

    private func refusal(_ bytes: DocumentBytes) -> ImportError { .malformed(line: bytes.line(of: place)) }
}

extension XMLReader {
    /// Comments, instructions and blanks around the outermost element.
    private mutating func skipMisc(_ bytes: DocumentBytes) throws(ImportError) {
        while place < bytes.count {
            if DocumentBytes.isBlank(bytes[place]) {
                place += 1
            } else if bytes[place] != UInt8(ascii: "<") {
                return
            } else if try !skipAside(bytes) {
                return
            }
        }
    }

    /// A comment or an instruction.
    ///
    /// - Returns: Whether there was one here.
    private mutating func skipAside(_ bytes: DocumentBytes) throws(ImportError) -> Bool {
        if bytes.has("<!--", at: place) {
            place = try find("-->", from: place + 4, bytes) + 3
        } else if bytes.has("<?", at: place) {
            place = try find("?>", from: place + 2, bytes) + 2
        } else if bytes.has("<!DOCTYPE", at: place) || bytes.has("<!ENTITY", at: place) {
            throw .documentType
        } else {
            return false
        }
        return true
    }

    private mutating func start(_ bytes: DocumentBytes) throws(ImportError) -> Element {
        guard open.count < ImportLimits.depth else { throw .tooDeep }
        elements += 1
        guard elements <= ImportLimits.nodes else { throw .tooLarge }
        place += 1
        let name = try name(bytes)
        var attributes: [(name: Range<Int>, value: Range<Int>)] = []
        while true {
            let hadBlank = skipBlanks(bytes)
            if bytes.has("/>", at: place) {
                place += 2
                isClosed = true
                break
            }
            if bytes.has(">", at: place) {
                place += 1
                break
            }
            guard hadBlank, attributes.count < ImportLimits.columns else { throw refusal(bytes) }
            attributes.append(try attribute(bytes))
        }
        open.append(name)
        return Element(name: name, attributes: attributes)
    }

    private mutating func attribute(
        _ bytes: DocumentBytes
    ) throws(ImportError) -> (name: Range<Int>, value: Range<Int>) {
        let name = try name(bytes)
        _ = skipBlanks(bytes)
        guard bytes.has("=", at: place) else { throw refusal(bytes) }
        place += 1
        _ = skipBlanks(bytes)
        guard place < bytes.count, bytes[place] == 0x22 || bytes[place] == 0x27 else { throw refusal(bytes) }
        let quote = bytes[place]
        let start = place + 1
        place = start
        while place < bytes.count, bytes[place] != quote {
            guard bytes[place] != UInt8(ascii: "<") else { throw refusal(bytes) }
            place += 1
        }
        guard place < bytes.count else { throw refusal(bytes) }
        place += 1
        return (name, start..<place - 1)
    }

    private mutating func endTag(_ bytes: DocumentBytes) throws(ImportError) {
        place += 2
        let name = try name(bytes)
        _ = skipBlanks(bytes)
        guard bytes.has(">", at: place), let opened = open.popLast(), opened.count == name.count,
            zip(opened, name).allSatisfy({ bytes[$0] == bytes[$1] })
        else { throw refusal(bytes) }
        place += 1
    }

    private mutating func name(_ bytes: DocumentBytes) throws(ImportError) -> Range<Int> {
        let start = place
        while place < bytes.count, Self.isName(bytes[place], isFirst: place == start) { place += 1 }
        guard place > start else { throw refusal(bytes) }
        return start..<place
    }

    private static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...: true
        case 0x30...0x39, 0x2D, 0x2E: !isFirst
        default: false
        }
    }

    private mutating func skipBlanks(_ bytes: DocumentBytes) -> Bool {
        let start = place
        while place < bytes.count, DocumentBytes.isBlank(bytes[place]) { place += 1 }
        return place > start
    }
}
