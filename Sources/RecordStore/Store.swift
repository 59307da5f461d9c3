/// A store of records: the contract of every backend (Schemas/vault-file.md sections 3–5).
///
/// Calls are synchronous and may wait for a disk, so make them from a separate executor. Calling the store again from
/// inside `read` is a mistake that may wait for ever.
public protocol Store: AnyObject, Sendable {
    /// The id of this vault: 16 bytes, public.
    var vaultID: [UInt8] { get }

    /// Passes one consistent view to `body`, valid during the call.
    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R

    /// Makes all changes or none, durably: after the return, they survive a crash and a power cut.
    ///
    /// An empty change set only checks the floor and writes nothing.
    ///
    /// - Returns: The revision that the written records now have: the new generation.
    /// - Throws: `StoreError.conflict` if a revision is not the expected one or the floor has moved;
    ///   `StoreError.invalidRecord` for a change outside the limits; nothing is changed then.
    ///   `StoreError.commitUnknown` if the outcome is open: read again and compare revisions.
    @discardableResult
    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision
}

/// A position in the history of a vault: key epoch first, then generation.
public struct Position: Hashable, Comparable, Sendable, Codable {
    /// The key epoch: it rises with every change of the vault key.
    public let epoch: UInt32
    /// The generation: it rises with every commit.
    public let generation: UInt64

    /// A position.
    public init(epoch: UInt32, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }

    /// Whether a position is earlier in the history.
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
    /// The vault has another key than the one seen here last, and only a carried slot confirms it.
    ///
    /// Another machine may have changed the key, or this machine stopped right after a change. Or a person with the old
    /// key has replaced the vault by another one.
    case keyReplaced(found: Position, expected: Position)
    /// A slot was removed, but another process kept its old bytes in the log for now.
    case logNotTruncated
}

/// How a vault is opened.
public struct OpenOptions: Equatable, Sendable {
    /// Whether to write nothing to the vault and the anchor.
    public var readOnly: Bool
    /// Whether to refuse a vault with a history that has no anchor here (`StoreError.anchorRequired`).
    public var requireAnchor: Bool
    /// Whether to open an old copy (`rollback`, `fork`) for reading; otherwise old copies are refused.
    public var stale: Bool
    /// Whether to open an old copy for `acceptRollback`.
    package var acceptsRollback = false
    /// The position of the vault that another store remembers; the higher of this and the anchor counts.
    package var furtherAnchor: AnchorText?

    /// Reading and writing, with or without an anchor, no old copies.
    public init(readOnly: Bool = false, requireAnchor: Bool = false, stale: Bool = false) {
        self.readOnly = readOnly
        self.requireAnchor = requireAnchor
        self.stale = stale
    }
}
