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
    package static func explanation(_ error: StoreError, of file: String) -> ErrorText? {
        guard case .rollback(let found, let expected) = error, found.epoch == expected.epoch,
            found.generation < expected.generation
        else { return nil }
        let count = expected.generation - found.generation
        let log = "\(file.split(separator: "/").last ?? "")-wal"
        return ErrorText(
            .rollback,
            "the vault is OLDER than the one seen here last by \(count) \(count == 1 ? "commit" : "commits"), and no log "
                + "lies beside it: a copy was put back, or \(log) is missing",
            hint: "look for \(log) where the file came from, and put it beside the file; without it: "
                + "hsip vault restore --accept-rollback",
            details: StoreDetails.of(error, here: "")
        )
    }
}
