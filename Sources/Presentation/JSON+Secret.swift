internal import Credentials
package import VaultKit

/// The objects of Schemas/cli/secret.schema.json.
extension JSONValue {
    /// A secret without its values; `now` in Unix seconds.
    package static func secret(_ secret: CredentialSummary, now: Int64) -> JSONValue {
        .object(secretMembers(secret, now: now))
    }

    /// `secret list`.
    package static func secrets(_ secrets: [CredentialSummary], now: Int64) -> JSONValue {
        ["secrets": .list(secrets.map { .secret($0, now: now) })]
    }

    /// What there is to say of a secret, for those who say more.
    package static func secretMembers(_ secret: CredentialSummary, now: Int64) -> [JSONMember] {
        let members: [(String, JSONValue)] = [
            ("name", .text(secret.name)),
            ("type", .text(secret.kind.word)),
            ("state", .text(secret.state(at: now).rawValue)),
            ("user", .optional(secret.user)),
            ("url", .optional(secret.url)),
            ("tags", .list(secret.tags.map { .text($0) })),
            ("version", .integer(Int64(secret.version))),
            ("changedAt", .time(Int64(secret.changed))),
            ("expiresAt", .time(secret.expires.map { Int64($0) })),
            ("createdAt", .time(Int64(secret.created))),
            ("modifiedAt", .time(Int64(secret.modified))),
            ("removedAt", .time(secret.removedAt.map { Int64($0) })),
            ("restorableUntilAt", .time(secret.removedAt.map { Int64(TrashPolicy.end(removedAt: $0)) })),
        ]
        return members.map { JSONMember($0.0, $0.1) }
    }

    /// `secret show`: everything but the values.
    package static func secretDetails(_ details: CredentialDetails, now: Int64) -> JSONValue {
        .object(
            secretMembers(details.summary, now: now) + [
                JSONMember("origin", .optional(details.origin)),
                JSONMember("fields", .list(details.fields.map { .text($0) })),
                JSONMember(
                    "versions",
                    .list(
                        details.versions.map { version in
                            [
                                "version": .integer(Int64(version.number)),
                                "createdAt": .time(Int64(version.created)),
                                "fields": .list(version.fields.map { .text($0) }),
                            ]
                        }
                    )
                ),
            ]
        )
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
