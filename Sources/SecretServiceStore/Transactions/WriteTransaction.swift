internal import RecordStore

/// The right to change a vault while it lasts: lock and anchor are held, and nothing interrupted is left.
final class WriteTransaction {
    let held: HeldLock
    let anchor: HeldAnchor?
    /// Whether a change that the anchor does not tell of must not be built on: the service may lose it.
    let needsAnchor: Bool
    /// The root; commits bring it forward.
    var found: FoundRoot
    /// Whether an earlier change left nothing to clean up.
    var isTidy = true
    /// The position in the lock file when the lock was acquired.
    let before: Position?

    init(held: HeldLock, anchor: HeldAnchor?, needsAnchor: Bool, found: FoundRoot) {
        self.held = held
        self.anchor = anchor
        self.needsAnchor = needsAnchor
        self.found = found
        before = held.line?.position
    }
}
