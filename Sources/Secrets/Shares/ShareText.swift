package import VaultCrypto

/// A share as people write it: words separated by blanks or line ends.
///
/// Capitals are accepted, a word may be cut after its fourth letter, and a line that begins with `#` is ignored. The
/// duration of reading reveals where words end, but not which words they are.
package enum ShareText {
    /// Bytes of the longest text that is read.
    package static let maximumSize = 4096
    /// The number of words in a share of a vault's recovery secret.
    package static let words = ShareWords.minimum

    /// Reads a share.
    ///
    /// - Throws: `ShareError.shareWrong`, `outOfMemory`.
    package static func read(_ text: borrowing some ByteSource & ~Copyable) throws(ShareError) -> Share {
        let places = try places(in: text)
        guard (ShareWords.minimum...ShareWords.maximum).contains(places.count) else {
            throw .shareWrong(.wordCount(places.count))
        }
        var words = try ShareWords(count: places.count)
        for (index, place) in places.enumerated() {
            guard let number = number(of: place, in: text) else {
                throw .shareWrong(.unknownWord(at: index + 1))
            }
            words.set(number, at: index)
        }
        return try Share(words)
    }

    /// The text of a share in locked memory: its words, with blanks between them.
    ///
    /// - Throws: `ShareError.outOfMemory`.
    package static func text(of share: Share) throws(ShareError) -> SecretBytes {
        let words = try share.words()
        do throws(CryptoError) {
            var end = 0
            let room = try SecretBytes(count: words.count * (WordList.longest + 1)) { bytes in
                for index in 0..<words.count {
                    if index > 0 {
                        bytes.storeBytes(of: 0x20, toByteOffset: end, as: UInt8.self)
                        end += 1
                    }
                    let letters = WordList.letters(of: words.number(at: index))
                    for shift in stride(from: UInt64(56), through: 0, by: -8) {
                        let letter = UInt8(letters >> shift & 0xFF)
                        guard letter != 0 else { break }
                        bytes.storeBytes(of: letter, toByteOffset: end, as: UInt8.self)
                        end += 1
                    }
                }
            }
            return try room.slice(0..<end)
        } catch {
            throw ShareError(error)
        }
    }

    /// The byte ranges of the words.
    static func places(
        in text: borrowing some ByteSource & ~Copyable
    ) throws(ShareError) -> [Range<Int>] {
        guard text.count <= maximumSize else { throw .shareWrong(.wordCount(ShareWords.maximum + 1)) }
        return text.withBytes { bytes in
            var (places, start, isRemark, isLineStart) = ([Range<Int>](), Int?.none, false, true)
            for index in 0...bytes.byteCount {
                let byte = index < bytes.byteCount ? bytes.byte(at: index) : 0x0A
                let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
                if isLineStart, byte == 0x23 { isRemark = true }
                if !isRemark, isBlank, let first = start { places.append(first..<index) }
                if isBlank { start = nil } else if start == nil { start = index }
                if byte == 0x0A || byte == 0x0D { (isRemark, isLineStart) = (false, true) }
                if !isBlank { isLineStart = false }
            }
            return places
        }
    }

    private static func number(
        of place: Range<Int>,
        in text: borrowing some ByteSource & ~Copyable
    ) -> UInt32? {
        guard place.count <= WordList.longest else { return nil }
        let (letters, isWord) = text.withBytes { bytes in
            place.reduce((UInt64(0), true)) { found, index in
                // Other characters become letters that occur in no word, or fail the comparison below.
                let letter = bytes.byte(at: index) | 0x20
                let isLetter = UInt8(letter &- 0x61) < 26
                return (found.0 << 8 | UInt64(letter), found.1 && isLetter)
            }
        }
        guard isWord else { return nil }
        return WordList.number(
            of: letters << UInt64(8 * (WordList.longest - place.count)),
            count: place.count
        )
    }
}

extension ShareText {
    /// Suggests at most three words for a word that is not in the list.
    ///
    /// A suggestion has the same first four letters, or differs by one letter missing, added, wrong or
    /// swapped with the next.
    ///
    /// The duration depends on the typed word, but that is not a word of a share.
    ///
    /// - Parameters:
    ///   - place: The number of the word in the text, from 1, as in `ShareError.Fault.unknownWord`.
    ///   - text: The text.
    /// - Returns: The suggestions; empty if the text has no such word.
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

    /// Completes a word after at least four typed letters.
    ///
    /// - Parameter letters: The typed letters, capital or small.
    /// - Returns: The missing letters; empty if no word begins with the typed ones.
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

    /// Whether the words differ by one letter added, missing or changed, or by two swapped neighbours.
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
