internal import Console

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

    private static func failure(_ message: String, _ hint: String) -> Failure {
        Failure(.unavailable, code: "unavailable", message: message, hint: hint)
    }
}
