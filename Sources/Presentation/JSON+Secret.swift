internal import Secrets
package import VaultKit

/// The objects of Schemas/cli/secret.schema.json.
extension JSONValue {
    /// A secret without its values; `now` in Unix seconds.
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

    /// `secret list`.
    package static func secrets(_ secrets: [CredentialSummary], now: Int64) -> JSONValue {
        ["secrets": .list(secrets.map { .secret($0, now: now) })]
    }

    /// `secret show`: everything but the values.
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
    /// Seconds before its end in which a secret ends soon: 30 days.
    package static let soon: Int64 = 30 * 86_400

    /// How a secret stands, as the JSON output spells it.
    package enum State: String {
        case active, expiring, expired, removed
    }

    /// How it stands at a moment, in Unix seconds.
    package func state(at now: Int64) -> State {
        guard removedAt == nil else { return .removed }
        guard let end = expires.map({ Int64(clamping: $0) }) else { return .active }
        if end <= now { return .expired }
        return end <= now + Self.soon ? .expiring : .active
    }
}
