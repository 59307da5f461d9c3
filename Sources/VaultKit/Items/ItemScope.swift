internal import VaultPolicy

/// The items of a call that need a verdict, as the arguments of the call name them.
enum ItemScope: Sendable {
    /// No items.
    case none
    /// The call reads these values, or opens the items for the program; refused items are left out.
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
    /// Whether the items of a call are decided one by one.
    ///
    /// Then the answer leaves out refused items, and items that nobody can be asked about; the call itself is not refused.
    package var leavesOut: Bool { if case .values = scope { true } else { false } }

    /// Whether the call waits for a person; if not, items that need a question count as refused, and are not logged.
    package var holds: Bool { if case .values(_, let holds) = scope { holds } else { true } }
}
