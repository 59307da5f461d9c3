/// Spans of time: `7d` on the command line, “7 days” for people.
package enum Durations {
    /// The seconds of `90s`, `15m`, `168h`, `7d`, `2w`, `1y` (365 days) or a sum like `1h30m`; nil for anything else.
    ///
    /// A number without a unit is refused, because people would read it differently: as seconds or as days.
    package static func parse(_ text: String) -> Int64? {
        var total: Int64 = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let unit = unit(character), let number = Int64(digits) else { return nil }
            let (part, tooMuch) = number.multipliedReportingOverflow(by: unit)
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !tooMuch, !overflow else { return nil }
            total = sum
            digits = ""
        }
        return digits.isEmpty && !text.isEmpty ? total : nil
    }

    private static func unit(_ character: Character) -> Int64? {
        switch character {
        case "s": 1
        case "m": 60
        case "h": 3_600
        case "d": 86_400
        case "w": 604_800
        case "y": 31_536_000
        default: nil
        }
    }

    /// The largest whole unit, rounded down: `2 days`, `18 hours`, `4 min`, `30 s`.
    package static func rough(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: counted(seconds / 3_600, "hour")
        default: counted(seconds / 86_400, "day")
        }
    }

    private static func counted(_ number: Int64, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
}

/// Writes a number with its noun.
package enum Plural {
    /// `1 secret`, `2 secrets`.
    package static func of(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
