/// The characters that chats, mail and web pages put between the characters of a code.
///
/// SKIP is White_Space, `>`, U+00AD, 200B...200D, 2060 and FEFF, each by its UTF-8 bytes.
enum SkipCharacters {
    /// The first index from `start` on at which no SKIP character begins.
    static func end(in text: [UInt8], from start: Int) -> Int {
        var place = start
        while place < text.count {
            let width = width(in: text, at: place)
            guard width > 0 else { break }
            place += width
        }
        return place
    }

    /// The index after `pattern` (lower case), with SKIP characters before and between its characters.
    static func match(_ pattern: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        var place = start
        for wanted in pattern {
            place = end(in: text, from: place)
            guard place < text.count, Bech32m.lowercased(text[place]) == wanted else { return nil }
            place += 1
        }
        return place
    }

    /// Whether the character at an index is an ASCII letter or digit.
    static func isLetterOrDigit(in text: [UInt8], at place: Int) -> Bool {
        guard place < text.count else { return false }
        let character = Bech32m.lowercased(text[place])
        return (0x30...0x39).contains(character) || (0x61...0x7A).contains(character)
    }

    /// Bytes of the SKIP character at an index; 0 for any other character.
    static func width(in text: [UInt8], at place: Int) -> Int {
        switch text[place] {
        case 0x09...0x0D, 0x20, 0x3E: return 1
        case 0xC2:
            guard place + 1 < text.count else { return 0 }
            return [0x85, 0xA0, 0xAD].contains(text[place + 1]) ? 2 : 0
        case 0xE1...0xEF:
            guard place + 2 < text.count else { return 0 }
            return isSkip(text[place], text[place + 1], text[place + 2]) ? 3 : 0
        default: return 0
        }
    }

    /// Whether the SKIP character at an index has no width: it is inside a word, not between two.
    static func isInvisible(in text: [UInt8], at place: Int) -> Bool {
        switch text[place] {
        case 0xC2: text[place + 1] == 0xAD
        case 0xE2:
            (text[place + 1] == 0x80 && (0x8B...0x8D).contains(text[place + 2]))
                || (text[place + 1] == 0x81 && text[place + 2] == 0xA0)
        case 0xEF: true
        default: false
        }
    }

    private static func isSkip(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second, third) {
        case (0xE1, 0x9A, 0x80): true  // 1680
        case (0xE2, 0x80, 0x80...0x8D): true  // 2000...200D
        case (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF): true  // 2028, 2029, 202F
        case (0xE2, 0x81, 0x9F...0xA0): true  // 205F, 2060
        case (0xE3, 0x80, 0x80): true  // 3000
        case (0xEF, 0xBB, 0xBF): true  // FEFF
        default: false
        }
    }
}
