internal import Console
internal import Credentials
internal import VaultKit

/// The objects of Schemas/cli/secret.schema.json.
extension JSONValue {
    /// A secret without its values.
    static func secret(_ secret: CredentialSummary, _ context: Context) -> JSONValue {
        .object(secretMembers(secret, context))
    }

    static func secretMembers(_ secret: CredentialSummary, _ context: Context) -> [JSONMember] {
        let members: [(String, JSONValue)] = [
            ("name", .text(secret.name)),
            ("type", .text(secret.kind.word)),
            ("state", .text(SecretCells.state(secret, now: context.now).value)),
            ("user", .optional(secret.user)),
            ("url", .optional(secret.url)),
            ("tags", .list(secret.tags.map { .text($0) })),
            ("version", .integer(Int64(secret.version))),
            ("changedAt", .time(Int64(secret.changed))),
            ("expiresAt", .time(secret.expires.map { Int64($0) })),
            ("createdAt", .time(Int64(secret.created))),
            ("modifiedAt", .time(Int64(secret.modified))),
            ("removedAt", .time(secret.removedAt.map { Int64($0) })),
            ("restorableUntilAt", .time(secret.removedAt.map { Int64($0) + 30 * 86_400 })),
        ]
        return members.map { JSONMember($0.0, $0.1) }
    }

    /// `secret get`: the value as text where it is one, and in base64 in any case; null where it went elsewhere.
    static func secretValue(
        _ value: CredentialValue,
        isGiven: Bool,
        file: String?,
        isCopied: Bool
    ) -> JSONValue {
        [
            "name": .text(value.reference.name),
            "field": .optional(value.reference.field),
            "version": .optional(value.reference.version.map { Int64($0) }),
            "type": .text(value.kind.word),
            "expiresAt": .time(value.expires.map { Int64($0) }),
            "value": isGiven && JSONValue.isText(value.value) ? .secret(value.value) : .null,
            "valueBase64": isGiven ? .secretBase64(value.value) : .null,
            "file": .optional(file),
            "copied": .bool(isCopied),
        ]
    }

    /// `secret show`: everything but the values.
    static func secretDetails(_ details: CredentialDetails, _ context: Context) -> JSONValue {
        .object(
            secretMembers(details.summary, context) + [
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
