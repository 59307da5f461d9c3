package import Secrets
package import Text
package import VaultKit

extension CredentialError: Worded {
    /// Returns the failure for one secret, by its name.
    package func explanation(of name: String, _ display: Display) -> Failure {
        switch self {
        case .unknownName: return RecordWords.secret.unknown(name, display)
        case .inTrash: return RecordWords.secret.inTrash(name, display)
        default:
            var text = explanation
            text.hint = text.hint?.replacing("NAME", with: ShellWord.quoted(name))
            return text
        }
    }

    /// Returns the failure for a missing field of a secret, with the existing fields.
    package static func unknownField(
        of secret: CredentialReference,
        in vault: any VaultService,
        _ display: Display
    ) async -> Failure {
        var text = CredentialError.unknownField.explanation(of: secret.name, display)
        // An older version may have had other fields.
        guard secret.version == nil, let details = try? await vault(Operations.credential, secret.name, .kept)
        else {
            return text
        }
        let fields = details.fields.map { display.cell($0) }.joined(separator: ", ")
        let asked = secret.field.map { "no field \(display.name($0))" } ?? "no main field"
        text.message = "\(display.name(secret.name)) has \(asked); its fields are: \(fields)"
        if let first = details.fields.first {
            text.hint = "hsip secret get \(ShellWord.quoted(secret.name)) --field \(ShellWord.quoted(first))"
        }
        return text
    }

    package var words: Failure.Words {
        switch self {
        case .unknownName: (.unknownSecret, "the vault has no secret of that name", "hsip secret list")
        case .inTrash: (.secretInTrash, "the secret is in the trash", "hsip secret restore NAME")
        case .nameTaken: (.secretNameTaken, "another secret has this name", "hsip secret list")
        case .unknownField: (.unknownField, "the secret has no field of that name", "hsip secret show NAME")
        case .unknownSecretVersion:
            (
                .unknownSecretVersion, "the secret has no version with that number; hsip keeps the last ten",
                "hsip secret show NAME"
            )
        case .kindDiffers:
            (
                .secretTypeDiffers, "the secret has another type, and the type of a secret cannot change",
                "hsip secret show NAME"
            )
        case .changedMeanwhile:
            (.secretChanged, "the secret was changed meanwhile; nothing was saved", "hsip secret show NAME")
        case .badName:
            (
                .badSecretName,
                "a secret's name must be one line of at most 248 bytes, without spaces at its ends",
                "hsip secret set --help"
            )
        case .badField:
            (
                .badFieldName,
                "a field's name must be one line of at most 128 bytes, without spaces at its ends, once in a secret",
                "hsip secret set --help"
            )
        case .badTag:
            (.badTag, "a tag must be one line of at most 64 bytes, without a comma", "hsip secret set --help")
        case .badOrigin:
            (.badOrigin, "the origin of a secret must be one line of at most 256 bytes", nil)
        case .badTime: (.badTime, "a time must not be later than the year 9999", nil)
        case .noFields: (.noFields, "a secret needs a value", "hsip secret set --help")
        case .valueTooLong(let limit):
            (
                .valueTooLong, "a value can have at most \(limit) bytes; encrypt a larger file",
                "hsip encrypt --help"
            )
        case .versionTooLong(let limit):
            (.secretTooLong, "the values of a secret can have at most \(limit) bytes together", nil)
        case .tooManyFields(let limit): (.tooManyFields, "a secret can have at most \(limit) fields", nil)
        case .tooManyTags(let limit): (.tooManyTags, "a secret can have at most \(limit) tags", nil)
        case .tooMuch(let limit): (.tooMuch, "hsip can handle at most \(limit) secrets at once", nil)
        case .malformedGift:
            (.malformedGift, "the message contains no secret in a form that this program knows", nil)
        case .malformed: (.malformedSecret, "the secret cannot be read", "hsip doctor")
        case .unsupportedVersion:
            (.unsupportedVersion, "the secret was written by a newer program", "hsip version")
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", nil)
        case .nameMeansOther:
            (
                .nameMeansOther, "the name means another secret than before on this machine",
                "hsip sync settle NAME --both"
            )
        case .unresolved(_, let reason): reason.words
        }
    }
}

extension OneTimeError: Worded {
    package var words: Failure.Words {
        let set = "hsip secret totp NAME --set FILE"
        return switch self {
        case .malformed, .badKey:
            (.badOneTimeKey, "the input is neither an otpauth:// or steam:// address nor a base32 key", set)
        case .unsupported:
            (
                .badOneTimeKey,
                "one-time passwords must have 6 to 8 digits by SHA1, SHA256 or SHA512, or be Steam codes", set
            )
        case .counted:
            (.countedPassword, "this key makes passwords from a counter, not from the time", nil)
        case .spent: (.countersSpent, "every counter value of this key is used", set)
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}

extension CredentialTextError: Explainable {
    package var explanation: Failure {
        switch self {
        case .malformed(let line):
            Self.bad(
                line,
                "line \(line) is not valid: first tags: and expires:, then each field after --- NAME"
            )
        case .twice(let line): Self.bad(line, "line \(line) begins a field that the text already has")
        case .emptyValue(let line):
            Self.bad(line, "the field in line \(line) is empty; to remove the field, delete its line")
        case .notText(let line):
            Self.bad(line, "the field in line \(line) contains bytes that cannot be edited as text")
        case .outOfMemory: Failure(.outOfMemory, "hsip cannot lock enough memory", hint: "ulimit -l")
        }
    }

    private static func bad(_ line: Int, _ message: String) -> Failure {
        Failure(
            .badEdit,
            message,
            hint: "hsip help secret edit",
            details: ["line": .integer(Int64(line))]
        )
    }
}

extension TextCipherError: Worded {
    package var words: Failure.Words {
        switch self {
        case .malformed:
            (
                .malformedText,
                "the text was not encrypted with a key, or is not whole; copy all of it again", nil
            )
        case .tooLong: (.textTooLong, "the text is longer than 1 MiB", "hsip encrypt NAME --file FILE")
        case .notText:
            (.notText, "only UTF-8 text can be encrypted with a key", "hsip encrypt NAME --file FILE")
        case .emptyKey: (.emptyKey, "the key is empty", nil)
        case .cannotOpen: (.textNotOpened, "the key is wrong, or the text was changed", nil)
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}
