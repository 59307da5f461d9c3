/// A time in allowed_signers: `YYYYMMDD[HHMM[SS]]`, with `Z` or `UTC` after it in UTC, else in local time.
public struct SignerTime: Hashable, Sendable, CustomStringConvertible {
    /// Seconds from midnight of 1 January 1970 on the clock of the time.
    public let seconds: Int64
    /// Whether that clock shows UTC.
    public let isUTC: Bool
    /// The text as it was written.
    public let description: String

    /// Reads a time; a day that its month does not have counts into the next month, as for OpenSSH.
    ///
    /// - Throws: `SSHFormatError.badTime`.
    public init(_ text: [UInt8]) throws(SSHFormatError) {
        let upper = text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        var digits = text[...]
        if upper.count > 1, upper.last == 0x5A {
            digits = text.dropLast()
        } else if upper.count > 3, upper.suffix(3) == [0x55, 0x54, 0x43] {
            digits = text.dropLast(3)
        }
        isUTC = digits.count < text.count
        guard [8, 12, 14].contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badTime
        }
        let numbers = digits.map { Int64($0 - 0x30) }
        func pair(_ at: Int) -> Int64 { at < numbers.count ? numbers[at] * 10 + numbers[at + 1] : 0 }
        let (year, month, day) = (pair(0) * 100 + pair(2), pair(4), pair(6))
        let (hour, minute, second) = (pair(8), pair(10), pair(12))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 62 else {
            throw .badTime
        }
        let time = hour * 3600 + minute * 60 + second
        seconds = (Self.days(toYear: year, month: month) + day - 1) * 86400 + time
        // OpenSSH takes zero for "no time given" and refuses what lies before it.
        guard seconds > 0 else { throw .badTime }
        description = String(decoding: text, as: UTF8.self)
    }

    /// Seconds since 1970 in UTC.
    ///
    /// `localToUTC` turns what a local clock shows into UTC; it is asked for a local time only.
    public func utc(_ localToUTC: (Int64) -> Int64) -> Int64 {
        isUTC ? seconds : localToUTC(seconds)
    }

    /// Days from 1 January 1970 to the first of a month (Gregorian calendar, years from 0 on).
    private static func days(toYear year: Int64, month: Int64) -> Int64 {
        // Years that begin with March put the leap day at their end.
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = (shifted + 400) / 4 - (shifted + 400) / 100 + (shifted + 400) / 400
        return (shifted + 400) * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 - 865_565
    }
}
