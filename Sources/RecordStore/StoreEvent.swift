/// Something that a person should hear about, though the act went on.
public enum StoreEvent: Equatable, Sendable {
    /// The vault has a history and no anchor is here: first use on this machine, or it was removed.
    ///
    /// Where the vault may be written, all its records predate a restore from then on.
    case anchorMissing
    /// The anchor could not be written; an old copy of the vault may go unnoticed until the next commit.
    case anchorNotWritten(StoreError)
    /// The vault is an old copy, opened for reading only.
    case stale(found: Position, expected: Position)
    /// The vault has another key than the one seen here last, and what vouches for it is a carried slot.
    ///
    /// Another machine may have changed the key, or this one was stopped right after it did; or a person who had the
    /// old key has put a vault of their own in the place.
    case keyReplaced(found: Position, expected: Position)
    /// A slot was removed, but another process kept its old bytes in the log for now.
    case logNotTruncated
}
