internal import Console

/// A vault is not where, or not what, `config.json` says: exit 12, the reason, and the way out.
enum Misplaced {
    /// A vault of that name is there, and nobody wrote down that it belongs here.
    static func unrecorded(_ place: VaultPlace) -> Failure {
        failure(
            "there is a vault at \(place.file) that was not recorded here",
            "hsip doctor --fix  records it, if it is yours")
    }

    static func unknownBackend(_ place: VaultPlace) -> Failure {
        failure("the vault \(place.key) is kept in a way this program does not know", "update hsip")
    }

    static func moved(_ place: VaultPlace) -> Failure {
        failure(
            "the vault \(place.key) was recorded at another path than \(place.file)",
            "set $XDG_DATA_HOME as it was, or hsip doctor --fix")
    }

    static func missing(_ place: VaultPlace) -> Failure {
        failure(
            "the vault \(place.key) was made at \(place.file), and the file is gone",
            "put the file back, or hsip doctor --fix  forgets it")
    }

    static func exchanged(_ place: VaultPlace) -> Failure {
        failure(
            "the file at \(place.file) is another vault than the one recorded",
            "put the right file back, or hsip doctor --fix")
    }

    private static func failure(_ message: String, _ hint: String) -> Failure {
        Failure(.unavailable, code: "unavailable", message: message, hint: hint)
    }
}
