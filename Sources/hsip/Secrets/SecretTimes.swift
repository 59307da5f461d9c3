internal import Console
internal import Credentials
internal import SafeText
internal import VaultKit

/// Times of secrets, as the command line says them.
enum SecretTimes {
    /// `90d`, `2027-03-01T00:00:00Z`, `never`.
    static func end(_ word: String, now: Int64) throws(Failure) -> CredentialChange.Expiry {
        if word == "never" { return .never }
        if let span = Durations.parse(word), span > 0 {
            let (end, isOver) = now.addingReportingOverflow(span)
            if !isOver, end > 0 { return .at(UInt64(end)) }
        }
        if let time = Times.parse(word), time > 0 { return .at(UInt64(time)) }
        throw Failure(
            .usage,
            code: "usage",
            message: "--expires takes a time such as 90d or 2027-03-01T00:00:00Z, or never"
        )
    }

    /// The moment that is some time from now: `30d`.
    static func moment(_ word: String, _ option: String, now: Int64) throws(Failure) -> UInt64 {
        guard let span = Durations.parse(word) else {
            throw Failure(.usage, code: "usage", message: "\(option) takes a time such as 30d or 12h")
        }
        return UInt64(clamping: now.addingReportingOverflow(span).partialValue)
    }
}
