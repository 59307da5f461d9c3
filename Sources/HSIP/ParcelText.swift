internal import VaultCrypto

/// Parcels as text for a chat: `hsip-secret:` and base64url without padding (Schemas/parcel.md).
public enum ParcelText {
    /// The beginning of every such text.
    public static let scheme = "hsip-secret:"
    /// Bytes of the longest parcel that has a text, 48 KiB; a longer parcel is sent as a file.
    public static let longest = 48 << 10

    static let schemeBytes = Array(scheme.utf8)
    static let longestEncoded = longest / 3 * 4

    /// A parcel as text.
    ///
    /// - Throws: `malformedGift` for a parcel of more than 48 KiB.
    public static func write(_ parcel: SealedParcel) throws(HSIPError) -> [UInt8] {
        guard parcel.bytes.count <= longest else { throw .malformedGift }
        return StrictBase64.encodedBytes(parcel.bytes, after: schemeBytes).compactMap { byte in
            switch byte {
            case 0x2B: 0x2D
            case 0x2F: 0x5F
            case 0x3D: nil
            default: byte
            }
        }
    }

    /// Every parcel in pasted text, in order, also damaged ones; the time is linear in the length of the text.
    ///
    /// As in a code, white space, `>` and invisible characters may be between the characters, and the scheme may be in
    /// any case. A text above 1 MiB is one damaged range.
    public static func find(in text: [UInt8]) -> [FoundParcel] {
        guard text.count <= CodeText.longestInput else {
            return [FoundParcel(range: 0..<text.count, readings: [])]
        }
        return ParcelFinder(text).all()
    }

    /// The parcel in base64url digits; nil if they do not encode a parcel.
    static func decode(_ digits: [UInt8]) -> SealedParcel? {
        guard digits.count <= longestEncoded else { return nil }
        let padding = [UInt8](repeating: 0x3D, count: (4 - digits.count % 4) % 4)
        let standard = digits.map { byte in byte == 0x2D ? 0x2B : byte == 0x5F ? 0x2F : byte } + padding
        return StrictBase64.decode(standard).flatMap { try? SealedParcel(bytes: $0) }
    }
}

/// A range of pasted text with a parcel, or with a scheme that a parcel should follow.
public struct FoundParcel: Hashable, Sendable {
    /// The bytes of the text from the scheme to the end of the longest reading.
    public let range: Range<Int>
    /// The possible parcels, none to three; none if the text is damaged.
    ///
    /// A parcel does not contain its length, and words may follow it: only its key shows which reading is
    /// right.
    public let readings: [SealedParcel]
}

/// Finds every parcel in pasted text.
///
/// The time is linear: a parcel ends before the next scheme at the latest, and is decoded at most three times.
struct ParcelFinder {
    /// Fewer digits after the scheme are words, not a damaged parcel.
    private static let shortestDamaged = 16

    private let text: [UInt8]
    /// The range of each scheme.
    private let places: [Range<Int>]

    init(_ text: [UInt8]) {
        self.text = text
        var places: [Range<Int>] = []
        var place = 0
        while place < text.count {
            if Bech32m.lowercased(text[place]) == ParcelText.schemeBytes[0],
                place == 0 || !SkipCharacters.isLetterOrDigit(in: text, at: place - 1),
                let end = SkipCharacters.match(ParcelText.schemeBytes, in: text, from: place)
            {
                places.append(place..<end)
                place = end
            } else {
                place += 1
            }
        }
        self.places = places
    }

    func all() -> [FoundParcel] {
        places.indices.compactMap { index in
            let next = index + 1 < places.count ? places[index + 1].lowerBound : text.count
            return parcel(at: places[index], before: next)
        }
    }

    private func parcel(at scheme: Range<Int>, before limit: Int) -> FoundParcel? {
        let words = words(from: scheme.upperBound, before: limit)
        var readings: [SealedParcel] = []
        var end = words.first?.end ?? scheme.upperBound
        // The first word alone; lines of one width and the rest in the last one; all words.
        for count in Set([1, wrapped(words), words.count]).sorted() where count <= words.count {
            let digits = words.prefix(count).flatMap(\.digits)
            guard let parcel = ParcelText.decode(digits) else { continue }
            readings.append(parcel)
            end = words[count - 1].end
        }
        // A scheme alone, in words about it, is not a damaged parcel.
        guard !readings.isEmpty || words.first.map({ $0.digits.count >= Self.shortestDamaged }) == true else {
            return nil
        }
        return FoundParcel(range: scheme.lowerBound..<end, readings: readings)
    }

    /// Digits without visible SKIP characters between them, and the index after them.
    private struct Word {
        var digits: [UInt8] = []
        var end: Int
    }

    private func words(from start: Int, before limit: Int) -> [Word] {
        var words: [Word] = []
        var word = Word(end: start)
        var (place, count) = (start, 0)
        while place < limit, count <= ParcelText.longestEncoded {
            if Self.isDigit(text[place]) {
                word.digits.append(text[place])
                (place, count) = (place + 1, count + 1)
                word.end = place
                continue
            }
            let width = SkipCharacters.width(in: text, at: place)
            guard width > 0 else { break }
            if !SkipCharacters.isInvisible(in: text, at: place), !word.digits.isEmpty {
                words.append(word)
                word = Word(end: place)
            }
            place += width
        }
        if !word.digits.isEmpty { words.append(word) }
        return words
    }

    /// The number of words in a parcel that a program wrapped.
    ///
    /// The second word shows the width, because the first shares its line with the scheme.
    private func wrapped(_ words: [Word]) -> Int {
        guard words.count > 1 else { return words.count }
        let width = words[1].digits.count
        var count = 1
        while count < words.count, words[count].digits.count == width { count += 1 }
        if count < words.count, words[count].digits.count < width { count += 1 }
        return count
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
