internal import Console
internal import VaultLifecycle

/// Why a vault is not moved.
enum MoveRefusal {
    /// It is kept in that way already.
    static func alreadyThere(_ location: String, _ backend: Backend) -> Failure {
        Failure(
            .alreadyThere,
            "the vault is in \(location) already",
            hint: backend == .file
                ? "hsip vault migrate --to secret-service" : "hsip vault migrate --to file"
        )
    }
}
