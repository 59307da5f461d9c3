internal import Synchronization

/// The open vaults by the names that C has for them.
///
/// A name is a number that was never used before: one that is closed leads to nothing, and nothing is read
/// at its address.
enum HandleTable {
    private static let entries = Mutex<(next: UInt, open: [UInt: Handle])>((0x1000, [:]))

    /// Notes a vault and names it.
    static func add(_ handle: Handle) -> OpaquePointer? {
        let name = entries.withLock { entries in
            entries.next += 16
            entries.open[entries.next] = handle
            return entries.next
        }
        return unsafe OpaquePointer(bitPattern: name)
    }

    /// The vault of a name.
    ///
    /// - Throws: `unavailable` in a child of the process that opened it; `usage` where there is none.
    static func find(_ name: OpaquePointer?) throws(LibraryError) -> Handle {
        guard OwnProcess.isOwn else { throw .unavailable }
        let handle = entries.withLock { $0.open[UInt(bitPattern: name)] }
        guard let handle else { throw .usage }
        return handle
    }

    /// Forgets a name; nil where there is none.
    static func remove(_ name: OpaquePointer?) -> Handle? {
        guard OwnProcess.isOwn else { return nil }
        return entries.withLock { $0.open.removeValue(forKey: UInt(bitPattern: name)) }
    }
}
