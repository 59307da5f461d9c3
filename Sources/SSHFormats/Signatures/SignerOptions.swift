/// The options of a line of allowed_signers, between the principals and the key (`sshsigopt_parse`).
struct SignerOptions {
    private(set) var isAuthority = false
    private(set) var namespaces: [UInt8]?
    private(set) var validAfter: SignerTime?
    private(set) var validBefore: SignerTime?

    /// Creates a line without options.
    init() {}

    /// Removes the options from the front of a line, which must have at least one, and returns them.
    ///
    /// - Throws: `SSHFormatError.badOption`; `duplicateOption`; `badTime`; `reversedValidity`.
    init(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) {
        repeat {
            try readOption(from: &rest)
        } while try Self.cutComma(from: &rest)
        if let validAfter, let validBefore, validBefore.seconds <= validAfter.seconds,
            validAfter.isUTC == validBefore.isUTC
        {
            throw .reversedValidity
        }
    }

    private mutating func readOption(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) {
        if Self.cut("cert-authority", from: &rest) {
            isAuthority = true
        } else if Self.cut("namespaces=", from: &rest) {
            guard namespaces == nil else { throw .duplicateOption }
            namespaces = try Self.cutQuoted(from: &rest)
        } else if Self.cut("valid-after=", from: &rest) {
            guard validAfter == nil else { throw .duplicateOption }
            validAfter = try SignerTime(try Self.cutQuoted(from: &rest))
        } else if Self.cut("valid-before=", from: &rest) {
            guard validBefore == nil else { throw .duplicateOption }
            validBefore = try SignerTime(try Self.cutQuoted(from: &rest))
        } else if rest.first != 0x2C {
            // OpenSSH skips an empty option between two commas.
            throw .badOption
        }
    }

    /// Whether another option follows.
    private static func cutComma(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) -> Bool {
        guard let next = rest.first, !next.isBlank else { return false }
        guard next == 0x2C else { throw .badOption }
        rest.removeFirst()
        return true
    }

    /// Removes a word in any case from the front if the text begins with it.
    private static func cut(_ word: StaticString, from rest: inout ArraySlice<UInt8>) -> Bool {
        let wanted = Array(word.description.utf8)
        guard rest.prefix(wanted.count).map(PatternList.lowercased) == wanted else { return false }
        rest = rest.dropFirst(wanted.count)
        return true
    }

    /// Removes a quoted text from the front and returns it; `\"` inside is a quote.
    private static func cutQuoted(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) -> [UInt8] {
        guard rest.popFirst() == 0x22 else { throw .badOption }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == 0x22 { return text }
            if byte == 0x5C, rest.first == 0x22 {
                rest.removeFirst()
                text.append(0x22)
            } else {
                text.append(byte)
            }
        }
        throw .badOption
    }
}

/// A time in allowed_signers: `YYYYMMDD[HHMM[SS]]`, with `Z` or `UTC` after it in UTC, else in local time.
public struct SignerTime: Hashable, Sendable, CustomStringConvertible {
    /// Seconds since midnight of 1 January 1970 on the clock of this time.
    public let seconds: Int64
    /// Whether that clock is UTC.
    public let isUTC: Bool
    /// The text as it was written.
    public let description: String

    /// Reads a time; a day after the end of its month continues in the next month, as in OpenSSH.
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
        // OpenSSH uses zero for a missing time and refuses earlier times.
        guard seconds > 0 else { throw .badTime }
        description = String(decoding: text, as: UTF8.self)
    }

    /// Converts to Unix time in seconds.
    ///
    /// `localToUTC` converts a time of the local clock to UTC; it is called for a local time only.
    public func utc(_ localToUTC: (Int64) -> Int64) -> Int64 {
        isUTC ? seconds : localToUTC(seconds)
    }

    /// Returns the days from 1 January 1970 to the first day of a month (Gregorian calendar, years from 0).
    private static func days(toYear year: Int64, month: Int64) -> Int64 {
        // Years that begin with March have the leap day at their end.
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = (shifted + 400) / 4 - (shifted + 400) / 100 + (shifted + 400) / 400
        return (shifted + 400) * 365 + leapDays + (monthFromMarch * 153 + 2) / 5 - 865_565
    }
}
