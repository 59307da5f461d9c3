internal import RecordStore
internal import VaultCrypto

/// The shape of a row of `slot`: number and sizes in front, then kind, parameters, proof, sealed key and note.
enum SlotShape {
    /// The types of a proof of 32 bytes and of a sealed key of 72 or 104.
    static let marks: [[UInt8]] = [[0x4C, 0x81, 0x1C], [0x4C, 0x81, 0x5C]]
    /// The most bytes of a row in one page; a slot is never longer.
    static let longest = 4_061
    /// The most bytes before the mark.
    static let before = 24

    /// The slot whose mark begins at `mark`; nil if there is no slot.
    static func slot(_ bytes: RawSpan, at mark: Int) -> SlotRow? {
        for size in 1...2 {
            if let slot = slot(bytes, at: mark, paramsType: size) { return slot }
        }
        return nil
    }

    private static func slot(_ bytes: RawSpan, at mark: Int, paramsType size: Int) -> SlotRow? {
        // header length | 00 (the number is the key of the row) | kind | parameters | mark | note
        let header = mark - size - 3
        guard header > 1, bytes.byte(at: header + 1) == 0 else { return nil }
        var place = mark - size
        guard let params = SQLiteNumber.blob(bytes, &place), place == mark else { return nil }
        place = mark + 1
        guard let sealed = SQLiteNumber.blob(bytes, &place), let note = SQLiteNumber.blob(bytes, &place),
            Int(bytes.byte(at: header)) == place - header,
            let kind = SQLiteNumber.integer(type: bytes.byte(at: header + 2), bytes, &place),
            let kind = UInt32(exactly: kind)
        else { return nil }
        let end = place + params + 32 + sealed + note
        guard end <= bytes.byteCount, end - header <= longest,
            let number = number(before: header, bytes, payload: end - header)
        else { return nil }
        var columns: [[UInt8]] = []
        for count in [params, 32, sealed, note] {
            columns.append(bytes.extracting(place..<place + count).copied())
            place += count
        }
        return SlotRow(
            number: number,
            kind: SlotKind(rawValue: kind),
            params: columns[0],
            proof: columns[1],
            sealed: columns[2],
            note: columns[3]
        )
    }

    /// The key of the row, which is stored between the row's length and its header.
    private static func number(before header: Int, _ bytes: RawSpan, payload: Int) -> UInt32? {
        guard var start = SQLiteNumber.start(endingAt: header, bytes) else { return nil }
        // Bytes before the length may look like a part of it, so the length is compared instead of read.
        var length = start - SQLiteNumber.size(of: payload)
        guard length >= 0, SQLiteNumber.read(bytes, &length) == payload, length == start,
            let number = SQLiteNumber.read(bytes, &start), number > 0
        else { return nil }
        return UInt32(exactly: number)
    }
}

/// The shape of the row of `head`.
enum HeadShape {
    /// The type of a sealed head.
    static let mark: [UInt8] = [0xA1, 0x4E]
    /// Bytes of a sealed head.
    private static let sealed = 2_145
    /// The most bytes after the beginning of the mark.
    static let longest = 2 + 16 + 8 + sealed
    /// Bytes before the mark.
    static let before = 4

    /// The head whose mark begins at `mark`; nil if there is no head.
    static func head(_ bytes: RawSpan, at mark: Int) -> HeadRow? {
        // header length | 00 (the key of the row) | 2C (id) | key epoch | mark
        guard mark >= before, bytes.byte(at: mark - 4) == 6, bytes.byte(at: mark - 3) == 0,
            bytes.byte(at: mark - 2) == 0x2C
        else { return nil }
        var place = mark + 2 + 16
        guard place <= bytes.byteCount,
            let epoch = SQLiteNumber.integer(type: bytes.byte(at: mark - 1), bytes, &place),
            let epoch = UInt32(exactly: epoch), place + sealed <= bytes.byteCount
        else { return nil }
        return try? HeadRow(
            vaultID: bytes.extracting(mark + 2..<mark + 18).copied(),
            epoch: epoch,
            sealed: bytes.extracting(place..<place + sealed).copied()
        )
    }
}
