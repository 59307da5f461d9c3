internal import Console
internal import Credentials
internal import VaultKit

/// The objects of Schemas/cli/secret.schema.json that only this program prints.
extension JSONValue {
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
}
