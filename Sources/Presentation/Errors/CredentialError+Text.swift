package import Credentials
package import SafeText
package import VaultKit

extension CredentialError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    /// The same of one secret, by its name.
    package func explanation(of name: String, _ display: Display) -> ErrorText {
        switch self {
        case .unknownName: return RecordWords.secret.unknown(name, display)
        case .inTrash: return RecordWords.secret.inTrash(name, display)
        default:
            var text = explanation
            text.hint = text.hint?.replacing("NAME", with: ShellWord.quoted(name))
            return text
        }
    }

    /// The same of a field that a secret does not have: those that it has.
    package static func unknownField(
        of secret: CredentialReference,
        in vault: any VaultService,
        _ display: Display
    ) async -> ErrorText {
        var text = CredentialError.unknownField.explanation(of: secret.name, display)
        // An older version may have others.
        guard secret.version == nil, let details = try? await vault.credential(secret.name) else {
            return text
        }
        let fields = details.fields.map { display.cell($0) }.joined(separator: ", ")
        let asked = secret.field.map { "no field \(display.name($0))" } ?? "no field that its type means"
        text.message = "\(display.name(secret.name)) has \(asked); it has \(fields)"
        if let first = details.fields.first {
            text.hint = "hsip secret get \(ShellWord.quoted(secret.name)) --field \(ShellWord.quoted(first))"
        }
        return text
    }

    private var words: ErrorText.Words {
        switch self {
        case .unknownName: (.unknownSecret, "there is no secret of that name", "hsip secret list")
        case .inTrash: (.secretInTrash, "the secret is in the trash", "hsip secret restore NAME")
        case .nameTaken: (.secretNameTaken, "another secret has this name", "hsip secret list")
        case .unknownField: (.unknownField, "the secret has no field of that name", "hsip secret show NAME")
        case .unknownSecretVersion:
            (
                .unknownSecretVersion, "the secret has no version of that number; the last ten are kept",
                "hsip secret show NAME"
            )
        case .kindDiffers:
            (
                .secretTypeDiffers, "the secret is of another type, and types do not change",
                "hsip secret show NAME"
            )
        case .changedMeanwhile:
            (.secretChanged, "the secret was changed meanwhile; nothing was done", "hsip secret show NAME")
        case .badName:
            (
                .badSecretName,
                "a secret's name is one line of at most 248 bytes, without blanks at its ends",
                "hsip secret set --help"
            )
        case .badField:
            (
                .badFieldName,
                "a field's name is one line of at most 128 bytes, without blanks at its ends, once in a secret",
                "hsip secret set --help"
            )
        case .badTag:
            (.badTag, "a tag is one line of at most 64 bytes, without a comma", "hsip secret set --help")
        case .badOrigin:
            (.badOrigin, "a note of where something came from is one line of at most 256 bytes", nil)
        case .badTime: (.badTime, "a time is not later than the year 9999", nil)
        case .noFields: (.noFields, "a secret needs a value", "hsip secret set --help")
        case .valueTooLong(let limit):
            (
                .valueTooLong, "a value has at most \(limit) bytes; a larger file is sealed, not stored",
                "hsip encrypt --help"
            )
        case .versionTooLong(let limit):
            (.secretTooLong, "the values of a secret have at most \(limit) bytes together", nil)
        case .tooManyFields(let limit): (.tooManyFields, "a secret has at most \(limit) fields", nil)
        case .tooManyTags(let limit): (.tooManyTags, "a secret has at most \(limit) tags", nil)
        case .tooMuch(let limit): (.tooMuch, "at most \(limit) at once", nil)
        case .malformedGift:
            (.malformedGift, "the parcel holds no secret in a form that is known here", nil)
        case .malformed: (.malformedSecret, "the secret cannot be read", "hsip doctor")
        case .unsupportedVersion:
            (.unsupportedVersion, "the secret was written by a newer program", "hsip version")
        case .outOfMemory: (.outOfMemory, "there is not enough locked memory", nil)
        case .unresolved(_, let reason): reason.words
        }
    }
}

extension OneTimeError: Explainable {
    package var explanation: ErrorText {
        switch self {
        case .malformed, .badKey:
            ErrorText(
                .badOneTimeKey,
                "that is neither an otpauth:// or steam:// address nor a key in base32",
                hint: "hsip secret totp NAME --set FILE"
            )
        case .unsupported:
            ErrorText(
                .badOneTimeKey,
                "one-time passwords have 6 to 8 digits by SHA1, SHA256 or SHA512, or are those of Steam",
                hint: "hsip secret totp NAME --set FILE"
            )
        case .counted: ErrorText(.countedPassword, "passwords of this key use a counter, not the time")
        case .spent:
            ErrorText(
                .countersSpent,
                "every number of this key is used",
                hint: "hsip secret totp NAME --set FILE"
            )
        case .outOfMemory: ErrorText(.outOfMemory, "no locked memory left", hint: "ulimit -l")
        }
    }
}

extension CredentialTextError: Explainable {
    package var explanation: ErrorText {
        switch self {
        case .malformed(let line):
            Self.bad(line, "line \(line) is not understood: first tags: and expires:, then fields --- NAME")
        case .twice(let line): Self.bad(line, "line \(line) begins a field for the second time")
        case .emptyValue(let line):
            Self.bad(line, "the field of line \(line) is empty; without its line it is removed")
        case .notText(let line):
            Self.bad(line, "the field of line \(line) holds bytes that are not edited as text")
        case .outOfMemory: ErrorText(.outOfMemory, "no locked memory left", hint: "ulimit -l")
        }
    }

    private static func bad(_ line: Int, _ message: String) -> ErrorText {
        ErrorText(
            .badEdit,
            message,
            hint: "hsip help secret edit",
            details: ["line": .integer(Int64(line))]
        )
    }
}
