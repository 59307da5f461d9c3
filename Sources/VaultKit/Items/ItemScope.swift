internal import VaultPolicy

/// The items of a call that need a verdict, as its arguments name them.
enum ItemScope: Sendable {
    /// None.
    case none
    /// Their values leave, or shall be open to the program; what is refused is left out.
    case values([String], holds: Bool)
    /// The call changes these items.
    case changes([String])
    /// The call replaces an item by a new one.
    case replaced(ItemMaking)
    /// The call removes a collection.
    case ending(String)
    /// The call makes `default` mean a collection.
    case becomingDefault(String)
    /// The call opens a closed collection.
    case opening(String)
    /// The key of an application, by its id.
    case applicationKey(String)
}

extension OperationRequest {
    /// Whether the parts of a call are decided one by one: what is refused, or cannot be asked about, is left out of the
    /// answer, and the call itself is not refused.
    package var leavesOut: Bool { if case .values = scope { true } else { false } }

    /// Whether the call waits for a person; else what had to be asked about counts as refused, and is not written down.
    package var holds: Bool { if case .values(_, let holds) = scope { holds } else { true } }
}
