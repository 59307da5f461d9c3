extension XMLReader {
    /// Reads the text of the open element up to its end tag, and decodes it in place.
    ///
    /// - Throws: `malformed` if the element contains elements or unknown entities.
    mutating func text(_ bytes: DocumentBytes) throws(ImportError) -> Range<Int> {
        guard !closeEmpty() else { return place..<place }
        let start = place
        var end = place
        lines.advance(to: start, bytes)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"):
                if try skipAside(bytes) {
                    lines.advance(to: place, bytes)
                    continue
                }
                if bytes.has("<![CDATA[", at: place) {
                    lines.advance(to: place + 9, bytes)
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

    /// Copies one character as XML defines it: line ends become line feeds (XML section 2.11).
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
        lines.pass(to: source + taken, over: taken == 2 || bytes[source] == 0x0A ? 1 : 0)
        bytes[end] = byte
        place += taken
        return end + 1
    }

    private mutating func reference(_ bytes: DocumentBytes, to end: Int) throws(ImportError) -> Int {
        // The longest reference is &#x10FFFF; with some zeros.
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
        lines.pass(to: place)
        return bytes.write(scalar, at: end)
    }

    private static func number(_ text: Substring) -> UInt32? {
        let isHex = text.hasPrefix("x")
        let digits = isHex ? text.dropFirst() : text
        guard digits.utf8.allSatisfy({ $0 < 0x80 }), digits.first?.isHexDigit == true else { return nil }
        return UInt32(digits, radix: isHex ? 16 : 10)
    }
}
