/// The classification of bytes as text.
enum TextKind {
    /// Valid UTF-8 without U+0000.
    case text
    /// Valid UTF-8 that contains U+0000, which other programs cut or refuse.
    case textWithNull
    /// Not UTF-8.
    case notText

    /// Classifies `bytes` in one pass; only shortest forms and no surrogates are valid (RFC 3629).
    init(_ bytes: RawSpan) {
        var hasNull = false
        var place = 0
        while place < bytes.byteCount {
            if place + 8 <= bytes.byteCount {
                // Reads eight ASCII characters at a time, because most text is ASCII and sealing must not wait for it. The
                // offset was just compared with the length.
                let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self)
                if word & 0x8080_8080_8080_8080 == 0 {
                    // With all high bits clear, only a zero byte borrows into its high bit first.
                    let borrow = (word &- 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080
                    hasNull = hasNull || borrow != 0
                    place += 8
                    continue
                }
            }
            guard let length = Self.characterLength(bytes, at: place) else {
                self = .notText
                return
            }
            hasNull = hasNull || Self.load(bytes, place) == 0
            place += length
        }
        self = hasNull ? .textWithNull : .text
    }

    /// The length of the character at `place`; nil if no valid character begins there.
    private static func characterLength(_ bytes: RawSpan, at place: Int) -> Int? {
        let lead = load(bytes, place)
        let second = place + 1 < bytes.byteCount ? load(bytes, place + 1) : 0
        let length: Int
        let range: ClosedRange<UInt8>
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: (length, range) = (2, 0x80...0xBF)
        case 0xE0: (length, range) = (3, 0xA0...0xBF)
        case 0xED: (length, range) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, range) = (3, 0x80...0xBF)
        case 0xF0: (length, range) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, range) = (4, 0x80...0xBF)
        case 0xF4: (length, range) = (4, 0x80...0x8F)
        default: return nil
        }
        guard place + length <= bytes.byteCount, range.contains(second) else { return nil }
        for offset in 2..<max(length, 2) where load(bytes, place + offset) & 0xC0 != 0x80 {
            return nil
        }
        return length
    }

    private static func load(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
        unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
