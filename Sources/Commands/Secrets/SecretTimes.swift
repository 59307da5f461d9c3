internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

/// Times of secrets, as the command line says them.
enum SecretTimes {
    /// `90d`, `1y`, `2027-03-01` (as that day begins here), `2027-03-01T00:00:00Z`, `never`.
    static func end(_ word: String, _ option: String, now: Int64) throws(Failure) -> CredentialChange.Expiry {
        if word == "never" { return .never }
        if let span = Durations.parse(word), span > 0 {
            let (end, isOver) = now.addingReportingOverflow(span)
            if !isOver, end > 0 { return .at(UInt64(end)) }
        }
        if let time = Times.day(word) ?? Times.parse(word), time > 0 { return .at(UInt64(time)) }
        throw Failure.usage(
            "\(option) takes a duration (90d, 1y), a date (2027-03-01), an RFC 3339 time, or never"
        )
    }

    /// The moment that is some time from now, or a date: `30d`, `2027-03-01`.
    static func moment(_ word: String, _ option: String, now: Int64) throws(Failure) -> UInt64 {
        if let day = Times.day(word) { return UInt64(clamping: day) }
        guard let span = Durations.parse(word) else {
            throw Failure.usage("\(option) must be a duration (30d, 1y) or a date (2027-03-01)")
        }
        return UInt64(clamping: now.addingReportingOverflow(span).partialValue)
    }
}
