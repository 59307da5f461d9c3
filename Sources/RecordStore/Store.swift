/// A place that keeps records: the contract that every backend fulfils (Schemas/vault-file.md sections 3–5).
///
/// Calls are synchronous and may wait for a disk, so they are made from an executor of their own. Calling the
/// store again from inside `read` is a mistake that may wait for ever.
public protocol Store: AnyObject, Sendable {
    /// 16 bytes that name this vault; public.
    var vaultID: [UInt8] { get }

    /// Passes one consistent view to `body`, for the time of the call.
    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R

    /// Makes all changes or none, durably: when it returns, they survive a crash and a power cut.
    ///
    /// An empty change set only checks the floor and writes nothing.
    ///
    /// - Returns: The revision that the written records now have: the new generation.
    /// - Throws: `StoreError.conflict` when a revision is not the expected one or the floor has moved;
    ///   `StoreError.invalidRecord` for a change out of limits; nothing is changed then.
    ///   `StoreError.commitUnknown` when the outcome is open: read again and compare revisions.
    @discardableResult
    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision
}

/// A place in the history of a vault: key epoch first, then generation.
public struct Position: Hashable, Comparable, Sendable, Codable {
    /// Rises with every change of the vault key.
    public let epoch: UInt32
    /// Rises with every commit.
    public let generation: UInt64

    /// A position.
    public init(epoch: UInt32, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }

    /// Earlier in the history.
    public static func < (left: Self, right: Self) -> Bool {
        (left.epoch, left.generation) < (right.epoch, right.generation)
    }
}

/// An event that a person should know of, although the operation continued.
public enum StoreEvent: Equatable, Sendable {
    /// The vault has a history but no anchor: this machine uses it for the first time, or the anchor was
    /// removed.
    ///
    /// If the vault is writable, all its records count as written before a restore from then on.
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

/// How a vault is opened.
public struct OpenOptions: Equatable, Sendable {
    /// Writes nothing to the vault and nothing to the anchor.
    public var readOnly: Bool
    /// Refuses a vault with a history that has no anchor here (`StoreError.anchorRequired`).
    public var requireAnchor: Bool
    /// Opens an old copy (`rollback`, `fork`) for reading, which is otherwise refused.
    public var stale: Bool
    /// Opens an old copy for `acceptRollback`.
    package var acceptsRollback = false
    /// The position of the vault that another store remembers; the higher one of this and the anchor counts.
    package var furtherAnchor: AnchorText?

    /// Read and write, with or without an anchor, no old copies.
    public init(readOnly: Bool = false, requireAnchor: Bool = false, stale: Bool = false) {
        self.readOnly = readOnly
        self.requireAnchor = requireAnchor
        self.stale = stale
    }
}
