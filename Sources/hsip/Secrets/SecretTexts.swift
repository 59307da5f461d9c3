internal import Console
internal import Credentials
internal import VaultKit

/// What the vault refuses about passwords, tokens, notes and files, as a person reads it.
enum SecretTexts {
    static func explain(_ error: CredentialError) -> Failure {
        let (message, hint) = words(error)
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    /// What is wrong with a key of one-time passwords.
    static func explain(_ error: OneTimeError) -> Failure {
        let (message, hint): (String, String?) =
            switch error {
            case .malformed, .badKey:
                (
                    "that is neither an otpauth:// or steam:// address nor a key in base32",
                    "hsip secret totp NAME --set FILE"
                )
            case .unsupported:
                (
                    "one-time passwords have 6 to 8 digits by SHA1, SHA256 or SHA512, or are those of Steam",
                    "hsip secret totp NAME --set FILE"
                )
            case .counted: ("passwords of this key go by a counter, not by time", nil)
            case .spent: ("every number of this key is used", "hsip secret totp NAME --set FILE")
            case .outOfMemory: ("no locked memory left", "ulimit -l")
            }
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    /// What is wrong with a text that was edited.
    static func explain(_ error: CredentialTextError) -> Failure {
        let (line, message): (Int, String)
        switch error {
        case .malformed(let number):
            (line, message) = (
                number, "line \(number) is not understood: first tags: and expires:, then fields --- NAME"
            )
        case .twice(let number):
            (line, message) = (number, "line \(number) begins a field for the second time")
        case .emptyValue(let number):
            (line, message) = (number, "the field of line \(number) is empty; without its line it is removed")
        case .notText(let number):
            (line, message) = (number, "the field of line \(number) holds bytes that are not edited as text")
        case .outOfMemory:
            return Failure(
                .unavailable,
                code: "outOfMemory",
                message: "no locked memory left",
                hint: "ulimit -l"
            )
        }
        return Failure(
            .malformed,
            code: "badEdit",
            message: message,
            hint: "hsip help secret edit",
            details: ["line": .integer(Int64(line))]
        )
    }

    private static func words(_ error: CredentialError) -> (String, hint: String?) {
        switch error {
        case .unknownName: ("there is no secret of that name", "hsip secret list")
        case .inTrash: ("the secret is in the trash", "hsip secret restore NAME")
        case .nameTaken: ("another secret has this name", "hsip secret list")
        case .unknownField: ("the secret has no field of that name", "hsip secret show NAME")
        case .unknownSecretVersion:
            ("the secret has no version of that number; the last ten are kept", "hsip secret show NAME")
        case .kindDiffers: ("the secret is of another type, and types do not change", "hsip secret show NAME")
        case .changedMeanwhile:
            ("the secret was changed meanwhile; nothing was done", "hsip secret show NAME")
        case .badName:
            (
                "a secret's name is one line of at most 248 bytes, without blanks at its ends",
                "hsip secret set --help"
            )
        case .badField:
            (
                "a field's name is one line of at most 128 bytes, without blanks at its ends, once in a secret",
                "hsip secret set --help"
            )
        case .badTag:
            ("a tag is one line of at most 64 bytes, without a comma", "hsip secret set --help")
        case .badOrigin: ("a note of where something came from is one line of at most 256 bytes", nil)
        case .badTime: ("a time is not later than the year 9999", nil)
        case .noFields: ("a secret needs a value", "hsip secret set --help")
        case .valueTooLong(let limit):
            ("a value has at most \(limit) bytes; a larger file is sealed, not stored", "hsip encrypt --help")
        case .versionTooLong(let limit): ("the values of a secret have at most \(limit) bytes together", nil)
        case .tooManyFields(let limit): ("a secret has at most \(limit) fields", nil)
        case .tooManyTags(let limit): ("a secret has at most \(limit) tags", nil)
        case .tooMuch(let limit): ("at most \(limit) at once", nil)
        case .malformed: ("the secret cannot be read", "hsip doctor")
        case .unsupportedVersion: ("the secret was written by a newer program", "hsip version")
        case .outOfMemory: ("there is not enough locked memory", nil)
        case .unresolved(_, let reason): words(reason)
        }
    }
}
