internal import VaultCrypto

/// The shape of a row of `record` as SQLite stores it: the header of the row gives the lengths of its four
/// columns.
///
/// `header length | 2C | 81 2C | 12 + 2 × meta | 12 + 2 × body`, then id 16, seal 80, meta and body. Finding
/// a row needs nothing else of the page.
struct RecordShape: Equatable {
    /// The bytes to search for: the types of a blob of 16 bytes and of one of 80.
    static let mark: [UInt8] = [0x2C, 0x81, 0x2C]
    /// Bytes of the row before `mark`.
    static let before = 1
    /// Bytes of the longest header.
    static let longestHeader = 12
    /// Bytes of id and seal.
    static let fixed = 96
    /// The longest meta and body that a repair accepts.
    private static let longestMeta = 128 << 10
    private static let longestBody = 18 << 20
    /// The most bytes of a row in its own page: `X` and `M` of SQLite's format for pages of 4,096 bytes.
    private static let maximumLocal = 1_002
    private static let minimumLocal = 489
    /// Bytes of a row in each overflow page.
    static let overflow = 4_092

    /// Bytes of the header.
    let header: Int
    /// Bytes of the sealed meta.
    let meta: Int
    /// Bytes of the sealed body.
    let body: Int

    /// The shape of the row whose header begins at `start`; nil if there is no such row.
    init?(_ bytes: RawSpan, at start: Int) {
        guard start >= 0, start + 4 < bytes.byteCount else { return nil }
        var place = start + 1 + Self.mark.count
        guard Self.mark.indices.allSatisfy({ bytes.byte(at: start + 1 + $0) == Self.mark[$0] }),
            let meta = SQLiteNumber.blob(bytes, &place), let body = SQLiteNumber.blob(bytes, &place),
            Int(bytes.byte(at: start)) == place - start, (1...Self.longestMeta).contains(meta),
            (1...Self.longestBody).contains(body)
        else { return nil }
        header = place - start
        self.meta = meta
        self.body = body
    }

    /// Bytes of the whole row.
    var payload: Int { header + Self.fixed + meta + body }

    /// Bytes of the row in its own page.
    var local: Int {
        guard payload > Self.maximumLocal else { return payload }
        let local = Self.minimumLocal + (payload - Self.minimumLocal) % Self.overflow
        return local <= Self.maximumLocal ? local : Self.minimumLocal
    }
}

/// SQLite's numbers of variable length.
enum SQLiteNumber {
    /// Reads the number at `place` and moves `place` past it; nil for more than five bytes, or at the end.
    static func read(_ bytes: RawSpan, _ place: inout Int) -> Int? {
        var value = 0
        for _ in 0..<5 {
            guard place < bytes.byteCount else { return nil }
            let byte = bytes.byte(at: place)
            place += 1
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// Reads the type of a blob and returns the blob's length; nil for another type.
    static func blob(_ bytes: RawSpan, _ place: inout Int) -> Int? {
        guard let type = read(bytes, &place), type >= 12, type.isMultiple(of: 2) else { return nil }
        return (type - 12) / 2
    }

    /// The number of bytes that encode a value.
    static func size(of value: Int) -> Int {
        var (size, rest) = (1, value >> 7)
        while rest > 0 { (size, rest) = (size + 1, rest >> 7) }
        return size
    }

    /// The start of the number whose last byte is before `end`; nil if no number ends there.
    static func start(endingAt end: Int, _ bytes: RawSpan) -> Int? {
        guard end > 0, bytes.byte(at: end - 1) < 0x80 else { return nil }
        var start = end - 1
        while start > 0, end - start < 5, bytes.byte(at: start - 1) >= 0x80 { start -= 1 }
        return start
    }

    /// Reads the integer of a type at `place` and moves `place` past it; nil if the type is not an integer.
    static func integer(type: UInt8, _ bytes: RawSpan, _ place: inout Int) -> Int? {
        if type == 8 || type == 9 { return Int(type) - 8 }
        guard let count = [1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8][type], place + count <= bytes.byteCount else {
            return nil
        }
        var value = bytes.byte(at: place) >= 0x80 ? -1 : 0
        for index in place..<place + count { value = value << 8 | Int(bytes.byte(at: index)) }
        place += count
        return value
    }
}
