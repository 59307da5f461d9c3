/// The rows of one lane as a repair found them: the newest whole row of each id, and what else has the shape of a row.
package struct LaneSalvage: Sendable {
    /// Rows that do not open and are kept for the sums; more of them explain nothing.
    private static let mostBroken = 4_096

    private var whole: [RowID: FoundRow] = [:]
    private var broken: [Element: FoundRow] = [:]

    /// A lane without rows.
    package init() {}

    /// The newest whole row of an id; nil where none was found.
    package subscript(id: RowID) -> FoundRow? { whole[id] }

    /// Adds a row; of the whole rows of one id only the one of the highest revision counts.
    package mutating func add(_ row: FoundRow) {
        if row.isWhole {
            if let present = whole[row.id], present.revision >= row.revision { return }
            whole[row.id] = row
        } else if let present = broken[row.element] {
            // Of two damaged copies the one that still tells its name says more.
            if present.name == nil { broken[row.element] = row }
        } else if broken.count < Self.mostBroken {
            broken[row.element] = row
        }
    }

    /// Compares the rows with the sum of the head, or without a head with those of backups.
    ///
    /// - Parameters:
    ///   - lane: Which lane this is.
    ///   - head: The newest head that opens.
    ///   - backups: The heads of backups, by their numbers.
    /// - Returns: the rows that are kept, and what is said of them.
    package func judged(lane: Int, by head: HeadContent?, backups: [HeadContent]) -> LaneVerdict {
        guard let head else {
            let sum = sum
            guard let number = backups.firstIndex(where: { $0.sums[lane] == sum }) else {
                return verdict(.unknown)
            }
            return verdict(.asInBackup(number))
        }
        // A row that is newer than the head shows that a newer head is lost: its sums are, too.
        let isOlder = whole.values.contains { $0.revision > head.generation }
        var missing = head.sums[lane]
        missing ^= sum
        guard !isOlder, let odd = explanation(of: missing) else { return verdict(.doubtful) }
        return vouched(odd)
    }

    private var sum: Element {
        var sum = Element.zero
        for row in whole.values { sum ^= row.element }
        return sum
    }

    /// Rows that do not open and are no copies of rows that do.
    private var remains: [FoundRow] {
        let known = Set(whole.values.map(\.element))
        return broken.values.filter { !known.contains($0.element) }
    }

    /// At most two rows that are all that keeps the lane from its sum.
    ///
    /// Whole ones came back although they were deleted or replaced; damaged ones belong to it. That others pass by chance
    /// has the odds of a forgery.
    private func explanation(of missing: Element) -> [FoundRow]? {
        guard missing != .zero else { return [] }
        var rows: [Element: FoundRow] = [:]
        for row in remains { rows[row.element] = row }
        for row in whole.values { rows[row.element] = row }
        if let row = rows[missing] { return [row] }
        for row in rows.values {
            var other = missing
            other ^= row.element
            if other != row.element, let second = rows[other] { return [row, second] }
        }
        return nil
    }

    /// The lane agrees with its sum once the odd rows have changed sides.
    private func vouched(_ odd: [FoundRow]) -> LaneVerdict {
        var verdict = LaneVerdict(state: .vouched)
        let lost = odd.filter { !$0.isWhole }
        for row in whole.values {
            let isOut = odd.contains { $0.isWhole && $0.element == row.element }
            // All that is left of a record whose newest version is damaged.
            if lost.contains(where: { $0.id == row.id }) {
                verdict.kept.append((row, .older))
            } else if isOut {
                verdict.leftOut.append(row)
            } else {
                verdict.kept.append((row, .vouched))
            }
        }
        for row in lost where whole[row.id] == nil { verdict.add(lost: row.name) }
        return verdict.sorted
    }

    /// Everything that was found, as nothing tells what of it counts.
    private func verdict(_ state: LaneVerdict.State) -> LaneVerdict {
        var verdict = LaneVerdict(state: state)
        var newest: [RowID: FoundRow] = [:]
        for row in remains where row.name != nil && row.revision > newest[row.id]?.revision ?? 0 {
            newest[row.id] = row
        }
        for row in whole.values {
            let isOlder = newest[row.id].map { $0.revision > row.revision } ?? false
            verdict.kept.append((row, isOlder ? .older : .doubtful))
        }
        for (id, row) in newest where whole[id] == nil { verdict.add(lost: row.name) }
        return verdict.sorted
    }
}
