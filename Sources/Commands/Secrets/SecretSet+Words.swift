internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit

extension SecretSet {
    /// The change that the options ask for; invalid options are refused before hsip asks for the value.
    func words(_ context: Context) throws -> CredentialChange {
        guard rest.isEmpty else { throw SecretNames.valueOnCommandLine }
        guard !keepsValue || (field == nil && file == nil && !exact && !isNew) else {
            throw Failure.usage("--keep-value excludes --field, --from-file, --exact and --new")
        }
        var change = CredentialChange()
        if let type {
            guard let kind = CredentialKind(word: type) else {
                throw Failure.usage("--type must be login, token, note or file")
            }
            change.kind = kind
        }
        if isNew { change.condition = .absent }
        if keepsValue || onlyTakesAway { change.condition = .present }
        for (name, text) in [(CredentialField.user, user), (CredentialField.url, url)] {
            guard let text else { continue }
            if text.isEmpty { change.dropped.append(name) } else { try change.put(text, in: name) }
        }
        if let field, !CredentialField.isName(field) { throw VaultError.secret(.badField) }
        for tag in tag where !Credential.isTag(tag) { throw VaultError.secret(.badTag) }
        change.dropped += dropped
        change.addedTags = tag
        change.removedTags = untag
        change.expires = try expires.map { try SecretTimes.end($0, "--expires", now: context.now) }
        guard CredentialName.isValid(name) else { throw VaultError.secret(.badName) }
        return change
    }

    /// Whether the options only remove something, so that hsip does not ask for a new value.
    ///
    /// A value that a script gives on stdin is still stored.
    var onlyTakesAway: Bool {
        !(dropped + untag).isEmpty && field == nil && file == nil && type == nil && !exact && !isNew
    }
}

/// Reads the times of secrets from the command line.
enum SecretTimes {
    /// Reads an expiry: `90d`, `1y`, `2027-03-01` (when that day begins here), `2027-03-01T00:00:00Z`, `never`.
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

    /// Reads a moment: a duration from now, or a date: `30d`, `2027-03-01`.
    static func moment(_ word: String, _ option: String, now: Int64) throws(Failure) -> UInt64 {
        if let day = Times.day(word) { return UInt64(clamping: day) }
        guard let span = Durations.parse(word) else {
            throw Failure.usage("\(option) must be a duration (30d, 1y) or a date (2027-03-01)")
        }
        return UInt64(clamping: now.addingReportingOverflow(span).partialValue)
    }
}
