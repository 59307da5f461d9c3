/// The verdict of a repair on one lane.
package struct LaneVerdict: Sendable {
    /// The authentication of the lane's rows as a set.
    package enum State: Equatable, Sendable {
        /// The head vouches for the rows.
        case vouched
        /// Without a head: it is the set that a backup has, by the backup's number.
        case asInBackup(Int)
        /// The rows are genuine; one may be missing, or an old one may have come back.
        case doubtful
        /// Without a head: the same, and nothing to compare it with.
        case unknown
    }

    /// What can be said of a row that is kept.
    package enum RowStatus: Sendable {
        /// The head vouches for it.
        case vouched
        /// It is genuine; whether it still counted, nothing tells.
        case doubtful
        /// A newer version was there, and is damaged.
        case older
    }

    /// What can be said of the set.
    package let state: State
    /// The rows of the new vault, ascending by id.
    package internal(set) var kept: [(row: FoundRow, status: RowStatus)] = []
    /// Rows that had been deleted or replaced, by the sum of the lane.
    package internal(set) var leftOut: [FoundRow] = []
    /// Records whose bodies are gone.
    package internal(set) var lost: [SalvagedName] = []
    /// How many more are lost with their names.
    package internal(set) var namelessLost = 0

    init(state: State) { self.state = state }

    mutating func add(lost name: SalvagedName?) {
        if let name { lost.append(name) } else { namelessLost += 1 }
    }

    /// In an order that does not depend on chance.
    var sorted: LaneVerdict {
        var sorted = self
        sorted.kept.sort { $0.row.id < $1.row.id }
        sorted.leftOut.sort { $0.id < $1.id }
        sorted.lost.sort { $0.id < $1.id }
        return sorted
    }
}
