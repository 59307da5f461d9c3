internal import Console
internal import VaultLifecycle

/// Why a vault is not moved.
enum MoveRefusal {
    /// It is kept in that way already.
    static func alreadyThere(_ location: String, _ backend: Backend) -> Failure {
        Failure(
            .conflict,
            code: "alreadyThere",
            message: "the vault is in \(location) already",
            hint: backend == .file
                ? "hsip vault migrate --to secret-service" : "hsip vault migrate --to file"
        )
    }

    /// Says what stopped a move.
    static func explain(_ error: MigrationError) -> Failure {
        switch error {
        case .taken(let path): taken(path)
        case .overtaken: overtaken
        case .lastCopy: lastCopy
        case .differs: differs
        }
    }

    /// Something lies where the file would go.
    private static func taken(_ path: String) -> Failure {
        Failure(
            .conflict,
            code: "alreadyExists",
            message: "something else lies at \(path), where the vault would go",
            hint: "mv \(ShellWord.quoted(path)) ELSEWHERE"
        )
    }

    /// Another process moved it while this one asked.
    private static var overtaken: Failure {
        Failure(
            .conflict,
            code: "conflict",
            message: "the vault was moved by another process meanwhile",
            hint: "hsip vault migrate  shows where it is"
        )
    }

    /// What was found is not what is recorded by now.
    static var changed: Failure {
        Failure(
            .conflict,
            code: "conflict",
            message: "the record of the vault was changed by another process meanwhile; it stays as it is",
            hint: "hsip doctor"
        )
    }

    /// The vault is gone from its place.
    private static var lastCopy: Failure {
        Failure(
            .unavailable,
            code: "unavailable",
            message: "the vault is not where it was: what the move left may be the last copy of it",
            hint: "hsip doctor"
        )
    }

    /// What was read back is not what was written.
    private static var differs: Failure {
        Failure(
            .unavailable,
            code: "copyDiffers",
            message: "the copy is not the same as the vault; it was removed, and the vault stays where it is",
            hint: "hsip doctor"
        )
    }
}
