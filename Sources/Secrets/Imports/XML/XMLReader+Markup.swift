extension XMLReader {
    /// Skips comments, instructions and blanks around the outermost element.
    mutating func skipMisc(_ bytes: DocumentBytes) throws(ImportError) {
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

    /// Skips a comment or an instruction.
    ///
    /// - Returns: Whether there was one.
    mutating func skipAside(_ bytes: DocumentBytes) throws(ImportError) -> Bool {
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

    /// Reads the start tag of an element, with its attributes.
    mutating func start(_ bytes: DocumentBytes) throws(ImportError) -> Element {
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

    /// Reads the end tag of the element that was opened last.
    mutating func endTag(_ bytes: DocumentBytes) throws(ImportError) {
        place += 2
        let name = try name(bytes)
        _ = skipBlanks(bytes)
        guard bytes.has(">", at: place), let opened = open.popLast(), bytes.areEqual(opened, name)
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
