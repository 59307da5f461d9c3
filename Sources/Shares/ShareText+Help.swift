package import VaultCrypto

extension ShareText {
    /// Words of the list that may be meant by one that is not in it: those with the same first four letters, or one letter
    /// missing, too many, wrong or swapped with the next; at most three.
    ///
    /// The time depends on what was typed, which is no word of a share.
    ///
    /// - Parameters:
    ///   - place: Which word of the text, counted from 1, as in `ShareError.Fault.unknownWord`.
    ///   - text: The text.
    /// - Returns: The words; none for a place that the text does not have.
    package static func candidates(
        for place: Int,
        in text: borrowing some ByteSource & ~Copyable
    ) -> [String] {
        guard let places = try? places(in: text), places.indices.contains(place - 1),
            places[place - 1].count <= WordList.longest + 1
        else { return [] }
        let typed = text.withBytes { bytes in places[place - 1].map { bytes.byte(at: $0) | 0x20 } }
        var found: [String] = []
        for packed in WordList.packed {
            let word = (0..<WordList.longest).map { UInt8(packed >> UInt64(56 - 8 * $0) & 0xFF) }
                .filter { $0 != 0 }
            let isSameStart =
                typed.count > WordList.significant
                && typed.prefix(WordList.significant) == word.prefix(WordList.significant)
            guard isSameStart || isOneSlip(typed, word) else { continue }
            let text = String(decoding: word, as: UTF8.self)
            if isSameStart { return [text] }
            found.append(text)
        }
        return Array(found.prefix(3))
    }

    /// The letters that are missing at the end of a word that is begun with at least four of them.
    ///
    /// - Parameter letters: The beginning, in capitals or small letters.
    /// - Returns: The rest; nothing where no word begins so.
    package static func completion(of letters: [UInt8]) -> [UInt8] {
        guard letters.count <= WordList.longest else { return [] }
        let typed = letters.reduce(UInt64(0)) { $0 << 8 | UInt64($1 | 0x20) }
        let missing = WordList.longest - letters.count
        guard letters.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }),
            let number = WordList.number(of: typed << UInt64(8 * missing), count: letters.count)
        else { return [] }
        let word = WordList.letters(of: number)
        return (0..<missing).map { UInt8(word >> UInt64(8 * (missing - 1 - $0)) & 0xFF) }.filter { $0 != 0 }
    }

    /// Whether one letter more, less or other, or two neighbours swapped, makes one word of the other.
    private static func isOneSlip(_ typed: [UInt8], _ word: [UInt8]) -> Bool {
        let same = zip(typed, word).prefix { $0 == $1 }.count
        let (left, right) = (typed.dropFirst(same), word.dropFirst(same))
        switch typed.count - word.count {
        case 1: return left.dropFirst() == right
        case -1: return left == right.dropFirst()
        case 0:
            if left.dropFirst() == right.dropFirst() { return true }
            return left.count >= 2 && left.dropFirst(2) == right.dropFirst(2)
                && left.first == right.dropFirst().first && left.dropFirst().first == right.first
        default: return false
        }
    }
}
