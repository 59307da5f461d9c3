/// Seconds of Unix time as text, without a library for calendars.
public enum UTCTime {
    /// A time in the form `2026-11-21T04:35:21`, UTC; beyond the year 9999 the number of the second alone.
    public static func text(_ second: UInt64) -> String {
        guard second < 253_402_300_800 else { return "\(second)" }
        let (days, rest) = (Int(second / 86400), Int(second % 86400))
        // Days since 0000-03-01, so that the leap day is the last of its year; then eras of 400 years.
        let shifted = days + 719_468
        let (era, day) = (shifted / 146_097, shifted % 146_097)
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        let date = "\(padded(calendarYear, 4))-\(padded(calendarMonth))-\(padded(dayOfMonth))"
        return "\(date)T\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
