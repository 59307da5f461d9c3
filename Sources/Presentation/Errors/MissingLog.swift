package import RecordStore

/// A vault file that is older than what was seen of it, with no log beside it: the newest commits may lie in a log that
/// stayed where the file came from.
package enum MissingLog {
    /// What is said then; nil for any other refusal.
    ///
    /// - Parameters:
    ///   - error: What opening the file threw.
    ///   - file: The path of the vault.
    /// - Returns: how many commits are missing, and where they may be.
    package static func explanation(_ error: StoreError, of file: String) -> Failure? {
        guard case .rollback(let found, let expected) = error, found.epoch == expected.epoch,
            found.generation < expected.generation
        else { return nil }
        let count = expected.generation - found.generation
        let log = "\(file.split(separator: "/").last ?? "")-wal"
        return Failure(
            .rollback,
            "the vault is \(count) \(count == 1 ? "commit" : "commits") OLDER than the one last seen here, and its log "
                + "is not there: an old copy was put back, or \(log) is missing",
            hint: "put \(log) from the file's old folder beside the file; if that log is lost: "
                + "hsip vault restore --accept-rollback",
            details: StoreDetails.of(error, here: "")
        )
    }
}
