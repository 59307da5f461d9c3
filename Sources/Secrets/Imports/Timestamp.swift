internal import VaultCrypto

/// Converts the times of exports to Unix seconds by pure arithmetic, without a clock and without time zones.
enum Timestamp {
    /// Seconds from 0001-01-01, the zero of KeePass (KDBX 4), to 1970-01-01.
    private static let keePassZero: Int64 = 62_135_596_800

    /// Reads `2022-03-01T12:30:00Z` with any number of decimals, or with `+hh:mm` (RFC 3339); nil for other text.
    static func rfc3339(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x20,
            bytes[13] == 0x3A, bytes[16] == 0x3A, let year = number(bytes[0..<4]),
            let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var rest = bytes[19...]
        if rest.first == 0x2E { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
        guard let offset = zone(rest) else { return nil }
        return days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    }

    /// Reads eight bytes in base64, the seconds since the year 1 (KDBX 4), or RFC 3339 (KDBX 3 and KeePass 2).
    static func keePass(_ text: String) -> Int64? {
        if let time = rfc3339(text) { return time }
        guard text.utf8.count == 12, let bytes = StrictBase64.decode(Array(text.utf8)),
            bytes.count == 8
        else { return nil }
        let number = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let seconds = Int64(exactly: number), seconds < keePassZero * 5 else { return nil }
        return seconds - keePassZero
    }

    private static func zone(_ text: ArraySlice<UInt8>) -> Int64? {
        if text.elementsEqual([0x5A]) { return 0 }
        guard text.count == 6, let sign = text.first, sign == 0x2B || sign == 0x2D,
            text[text.startIndex + 3] == 0x3A, let hours = number(text.dropFirst().prefix(2)),
            let minutes = number(text.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == 0x2B ? 1 : -1)
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The days from 1970-01-01 to a date of the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
