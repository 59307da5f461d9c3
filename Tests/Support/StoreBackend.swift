public import RecordStore

/// A way to get stores of one kind, so that one suite can judge every backend.
public struct StoreBackend: Sendable {
    /// Makes a store without records.
    public let make: @Sendable () throws -> any Store
    /// Looks at the same store through fresh eyes, as after a restart; a store without durability answers
    /// itself.
    public let reopen: @Sendable (any Store) throws -> any Store
    /// Makes every record predate a restore.
    public let raiseFloor: @Sendable (any Store) throws -> Void

    /// A backend.
    public init(
        make: @escaping @Sendable () throws -> any Store,
        reopen: @escaping @Sendable (any Store) throws -> any Store,
        raiseFloor: @escaping @Sendable (any Store) throws -> Void
    ) {
        self.make = make
        self.reopen = reopen
        self.raiseFloor = raiseFloor
    }
}
