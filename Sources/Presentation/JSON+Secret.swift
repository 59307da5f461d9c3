internal import Secrets
package import VaultKit

/// The objects of Schemas/cli/secret.schema.json.
extension JSONValue {
    /// Returns a secret without its values; `now` is a Unix time in seconds.
    package static func secret(_ secret: CredentialSummary, now: Int64) -> JSONValue {
        [
            "name": .text(secret.name), "type": .text(secret.kind.word),
            "state": .text(secret.state(at: now).rawValue),
            "user": .optional(secret.user), "url": .optional(secret.url), "tags": .texts(secret.tags),
            "version": .integer(secret.version), "changedAt": .time(secret.changed),
            "expiresAt": .time(secret.expires),
            "createdAt": .time(secret.created), "modifiedAt": .time(secret.modified),
            "removedAt": .time(secret.removedAt),
            "restorableUntilAt": .time(secret.removedAt.map { TrashPolicy.end(removedAt: $0) }),
        ]
    }

    /// Returns the result of `secret list`.
    package static func secrets(_ secrets: [CredentialSummary], now: Int64) -> JSONValue {
        ["secrets": .list(secrets.map { .secret($0, now: now) })]
    }

    /// Returns the result of `secret show`: everything except the values.
    package static func secretDetails(_ details: CredentialDetails, now: Int64) -> JSONValue {
        let versions = details.versions.map { version -> JSONValue in
            [
                "version": .integer(version.number), "createdAt": .time(version.created),
                "fields": .texts(version.fields),
            ]
        }
        return .secret(details.summary, now: now).with([
            "origin": .optional(details.origin), "fields": .texts(details.fields),
            "versions": .list(versions),
        ])
    }
}

extension CredentialSummary {
    /// The number of seconds before the expiry from which a secret counts as expiring: 30 days.
    package static let soon: Int64 = 30 * 86_400

    /// The state of a secret, as a word of the JSON output.
    package enum State: String {
        case active, expiring, expired, removed
    }

    /// Returns the state at a Unix time in seconds.
    package func state(at now: Int64) -> State {
        guard removedAt == nil else { return .removed }
        guard let end = expires.map({ Int64(clamping: $0) }) else { return .active }
        if end <= now { return .expired }
        return end <= now + Self.soon ? .expiring : .active
    }
}
