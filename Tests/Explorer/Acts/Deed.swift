/// What may happen at one vault, by whom it is done and to what.
package enum Deed: Hashable, Sendable {
    /// A new OFFER, for a contact or for anybody.
    case offer(to: Int?)
    /// What `pair CONTACT` shows.
    case next(to: Int)
    /// Shows an open OFFER again.
    case show
    /// One message.
    case send(to: Int)
    /// Takes a code that somebody has shown.
    case take(Int)
    /// Reads a message that somebody has sent.
    case read(Int)
    /// Ends every session with somebody.
    case revoke(to: Int)
    /// Publishes the notice that ends one's own identity.
    case renounce
    /// Keeps a copy of the records.
    case backup
    /// Puts the copy back.
    case restore
    /// The clock stands there now, seconds after the beginning.
    case clock(UInt64)

    /// What it costs; nil for what only follows from something else.
    var cost: Cost? {
        switch self {
        case .offer: .offer
        case .next: .next
        case .send: .send
        case .take: .take
        case .read, .show: nil
        case .revoke, .renounce: .end
        case .backup, .restore: .restore
        case .clock: .clock
        }
    }
}

/// What a walk has to bound: each kind of deed that can be done without end.
package enum Cost: String, CaseIterable, Sendable {
    /// OFFERs made.
    case offer
    /// New codes by `pair CONTACT`.
    case next
    /// Messages sent.
    case send
    /// Codes taken that changed something.
    case take
    /// Sessions and identities ended.
    case end
    /// Backups kept, and put back.
    case restore
    /// Moves of the clock.
    case clock

    /// Its place among all.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
