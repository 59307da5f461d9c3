internal import Presentation
internal import Secrets
internal import VaultKit

extension SecretSet {
    /// What the options say; everything that can be refused is refused before the value is asked for.
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

    /// What only takes something away is no reason to ask for a new value; one that a script brings counts.
    var onlyTakesAway: Bool {
        !(dropped + untag).isEmpty && field == nil && file == nil && type == nil && !exact && !isNew
    }
}
