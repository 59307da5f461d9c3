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
