internal import Console
internal import SafeText

/// A vault is not where, or not what, `config.json` says: exit 12, the reason, and the way out.
enum Misplaced {
    /// A vault of that name is there, and nobody wrote down that it belongs here.
    static func unrecorded(_ place: VaultPlace) -> Failure {
        failure(
            "there is a vault at \(place.file) that was not recorded here",
            "hsip doctor --fix  records it, if it is yours"
        )
    }

    static func unknownBackend(_ place: VaultPlace) -> Failure {
        failure("the vault is kept in a way this program does not know", "update hsip")
    }

    static func moved(_ place: VaultPlace) -> Failure {
        failure(
            "the vault was recorded at another path than \(place.file)",
            "hsip doctor --fix  records the new place"
        )
    }

    static func missing(_ place: VaultPlace) -> Failure {
        failure(
            "the vault was made at \(place.file), and the file is gone",
            "hsip doctor --fix  forgets it, if it cannot be put back"
        )
    }

    static func exchanged(_ place: VaultPlace) -> Failure {
        failure(
            "the file at \(place.file) is another vault than the one recorded",
            "hsip doctor --fix  records this one, if the other cannot be put back"
        )
    }

    /// The keyring answers, and the vault that was made in it is not there.
    static func noHeader(_ label: String, _ display: Display) -> Failure {
        failure(
            "the vault was made in the keyring \(display.cell(label)), and is not there any more",
            "hsip doctor --fix  forgets it, if the keyring cannot be put back",
            reason: "noHeader"
        )
    }

    /// The keyring holds a vault of that name, and nobody wrote down that it belongs here.
    static func unrecordedInKeyring(_ place: VaultPlace, _ display: Display) -> Failure {
        failure(
            "the keyring holds a vault of the name \(display.cell(place.key)) that was not recorded here",
            "hsip doctor --fix  records it, if it is yours",
            reason: "unrecorded"
        )
    }

    /// An act on key slots or on the file, of a vault that has neither.
    static var notForKeyring: Failure {
        Failure(
            .unavailable,
            code: "notForKeyring",
            message: "this vault lies in the keyring: it has no file and no key slots",
            hint: "hsip vault migrate --to file"
        )
    }

    /// A passphrase came along for a vault that has none.
    static func noPassphrase(_ option: String) -> Failure {
        Failure(
            .usage,
            code: "usage",
            message: "\(option) is of no use: this vault lies in the keyring and has no passphrase"
        )
    }

    private static func failure(_ message: String, _ hint: String, reason: String? = nil) -> Failure {
        Failure(
            .unavailable,
            code: "unavailable",
            message: message,
            hint: hint,
            details: reason.map { ["reason": .text($0)] } ?? .null
        )
    }
}
