package import VaultCrypto

/// The verdict of a repair on one lane.
package struct LaneVerdict: Sendable {
    /// The authentication of the lane's rows as a set.
    package enum State: Equatable, Sendable {
        /// The head vouches for the rows.
        case vouched
        /// There is no head; the rows equal a backup's, by the backup's number.
        case asInBackup(Int)
        /// The rows are genuine; one may be missing, or an old one may have come back.
        case doubtful
        /// There is no head and no backup to compare with; the rows are genuine, as in `doubtful`.
        case unknown
    }

    /// The authentication of a kept row.
    package enum RowStatus: Sendable {
        /// The head vouches for the row.
        case vouched
        /// The row is genuine; whether it was still valid is unknown.
        case doubtful
        /// The newer version of the row is damaged.
        case older
    }

    /// The authentication of the set.
    package let state: State
    /// The rows of the new vault, ascending by id.
    package internal(set) var kept: [(row: FoundRow, status: RowStatus)] = []
    /// Rows that had been deleted or replaced, by the sum of the lane.
    package internal(set) var leftOut: [FoundRow] = []
    /// Records whose bodies are lost.
    package internal(set) var lost: [SalvagedName] = []
    /// The number of further lost records, whose names are lost too.
    package internal(set) var namelessLost = 0

    init(state: State) { self.state = state }

    mutating func add(lost name: SalvagedName?) {
        if let name { lost.append(name) } else { namelessLost += 1 }
    }

    /// The verdict in an order that does not depend on chance.
    var sorted: LaneVerdict {
        var sorted = self
        sorted.kept.sort { $0.row.id < $1.row.id }
        sorted.leftOut.sort { $0.id < $1.id }
        sorted.lost.sort { $0.id < $1.id }
        return sorted
    }
}

/// The head of a repaired vault, computed row by row.
package struct SalvagedHead {
    private var content: HeadContent

    /// The head of a vault with these slots and without rows.
    package init(slots: Keyslots, keys: VaultKeys) throws(StoreError) {
        content = HeadContent(slotDigest: try slots.digest(keys))
    }

    /// The number of added rows.
    package var count: UInt64 { content.count }

    /// Counts a row; add each id only once.
    package mutating func add(_ row: FoundRow) {
        content.sums[row.id.lane] ^= row.element
        content.count += 1
    }

    /// The head with a generation above everything found.
    ///
    /// Its generation is its floor, so every record predates a restore.
    ///
    /// - Throws: `corrupt` if no higher generation exists.
    package func sealed(
        above generation: UInt64,
        vaultID: [UInt8],
        epoch: UInt32,
        keys: VaultKeys,
        entropy: Entropy
    ) throws(StoreError) -> HeadRow {
        guard generation < UInt64(Int64.max) else { throw .corrupt }
        var content = content
        content.generation = generation + 1
        content.floor = content.generation
        return try HeadRow(content, vaultID: vaultID, epoch: epoch, keys: keys, entropy: entropy)
    }
}
