internal import LocalState
internal import RecordStore

/// The right to change a vault while it lasts: lock and anchor are held, and nothing interrupted is left.
final class WriteTurn {
    let held: HeldLock
    let anchor: HeldAnchor?
    /// What is known of the vault; commits bring it forward.
    var known: Known

    init(held: HeldLock, anchor: HeldAnchor?, known: Known) {
        self.held = held
        self.anchor = anchor
        self.known = known
    }
}
