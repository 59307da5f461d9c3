internal import Glibc

/// Times as text, for people and for scripts.
///
/// All times are Unix seconds; the caller reads the clock.
package enum Times {
    /// The number of days from which a date is shown instead of a distance.
    package static let relativeDays: Int64 = 14

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The clock of this machine; only the composition root calls it, and passes the time down.
    package static func now() -> Int64 {
        Int64(time(nil))
    }

    /// `2026-11-22T18:04:00Z`: RFC 3339, UTC, whole seconds.
    package static func rfc3339(_ seconds: Int64) -> String {
        let time = CivilTime(unixSeconds: seconds)
        return "\(padded(time.year, 4))-\(padded(time.month))-\(padded(time.day))"
            + "T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))Z"
    }

    /// The Unix time of an RFC 3339 text with `Z` or an offset; fractions of a second are dropped.
    ///
    /// It is nil for anything else, such as a day that does not exist or a leap second.
    package static func parse(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74,
            bytes[13] == 0x3A, bytes[16] == 0x3A,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]),
            let seconds = CivilTime.unixSeconds(year, month, day, hour, minute, second)
        else { return nil }
        var zone = bytes[19...]
        if zone.first == 0x2E {
            let digits = zone.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            zone = bytes[digits.endIndex...]
        }
        return offset(zone).map { seconds - $0 }
    }

    /// The start of a day (`2027-03-01`) in the time zone of this machine; nil for anything else.
    package static func day(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D, let year = number(bytes[0..<4]),
            let month = number(bytes[5..<7]), let day = number(bytes[8..<10]), year >= 1970,
            CivilTime.unixSeconds(year, month, day, 0, 0, 0) != nil
        else { return nil }
        var parts = unsafe tm()
        unsafe parts.tm_year = Int32(year - 1900)
        unsafe parts.tm_mon = Int32(month - 1)
        unsafe parts.tm_mday = Int32(day)
        // The system finds out whether that day has summer time.
        unsafe parts.tm_isdst = -1
        return Int64(unsafe mktime(&parts))
    }

    /// `in 2 days`, `4 min ago`, `now`, rounded down; `2 Mar 2026` from a distance of 14 days.
    package static func relative(_ seconds: Int64, now: Int64) -> String {
        let (distance, overflow) = seconds.subtractingReportingOverflow(now)
        guard !overflow, distance.magnitude < relativeDays * 86_400 else { return date(seconds) }
        guard distance.magnitude >= 60 else { return "now" }
        let span = Durations.rough(Int64(distance.magnitude))
        return distance > 0 ? "in \(span)" : "\(span) ago"
    }

    /// `2 Mar 2026`, in the time zone of this machine.
    package static func date(_ seconds: Int64) -> String {
        let time = local(seconds).time
        return "\(time.day) \(months[time.month - 1]) \(time.year)"
    }

    /// `today 14:02`, `tomorrow 14:02`, `2 Mar 2026 14:02`, in the time zone of this machine.
    package static func moment(_ seconds: Int64, now: Int64) -> String {
        let time = local(seconds).time
        let clock = "\(padded(time.hour)):\(padded(time.minute))"
        switch date(seconds) {
        case date(now): return "today \(clock)"
        case date(now + 86_400): return "tomorrow \(clock)"
        case date(now - 86_400): return "yesterday \(clock)"
        case let day: return "\(day) \(clock)"
        }
    }

    /// `2026-03-02 14:02:11 +01:00`: exact, with the zone, for the `show` commands.
    package static func exact(_ seconds: Int64) -> String {
        let (time, offset) = local(seconds)
        let minutes = abs(offset) / 60
        return "\(padded(time.year, 4))-\(padded(time.month))-\(padded(time.day)) "
            + "\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second)) "
            + "\(offset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    private static func local(_ seconds: Int64) -> (time: CivilTime, offset: Int) {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&moment, &parts) != nil else { return (CivilTime(unixSeconds: seconds), 0) }
        let offset = unsafe parts.tm_gmtoff
        return (CivilTime(unixSeconds: seconds + Int64(offset)), offset)
    }

    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        let zone = Array(zone)
        if zone == [0x5A] || zone == [0x7A] { return 0 }
        guard zone.count == 6, zone[0] == 0x2B || zone[0] == 0x2D, zone[3] == 0x3A,
            let hours = number(zone[1..<3]), let minutes = number(zone[4..<6]), hours < 24, minutes < 60
        else { return nil }
        return Int64(hours * 3_600 + minutes * 60) * (zone[0] == 0x2D ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    private static func padded(_ value: Int, _ digits: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
