/// Answers that were given ahead of the one use that they are for: a program on the bus asks for an item to be opened, and
/// reads it then.
///
/// They are gone when the vault is locked.
struct ItemTickets: Sendable {
    /// Tickets that are kept; the one that ends first makes room.
    private static let maximum = 256

    private struct Ticket: Hashable, Sendable {
        let connection: String
        let item: String
    }

    private var ends: [Ticket: UInt64] = [:]

    /// Keeps the answer for the next use of an item by a connection, for some seconds from now.
    mutating func add(_ item: String, for connection: String, seconds: UInt64, at moment: UInt64) {
        ends = ends.filter { $0.value > moment }
        if ends.count >= Self.maximum, let first = ends.min(by: { $0.value < $1.value }) {
            ends[first.key] = nil
        }
        ends[Ticket(connection: connection, item: item)] = moment + seconds
    }

    /// Uses an answer up; false where there is none.
    mutating func use(_ item: String, by connection: String, at moment: UInt64) -> Bool {
        guard let end = ends.removeValue(forKey: Ticket(connection: connection, item: item)) else {
            return false
        }
        return moment < end
    }
}
