/// The rows of one lane as a repair found them: every whole version of each id, and what else has the shape of a row.
package struct LaneSalvage: Sendable {
    /// Rows that do not open and are kept for the sums; more of them explain nothing.
    private static let maximumBroken = 4_096
    /// Versions besides the newest ones that are kept for the sums.
    private static let maximumOlder = 4_096

    /// The newest versions of one id.
    private struct Newest {
        /// Of those that a commit ended.
        var committed: FoundRow?
        var any: FoundRow

        /// What counts where no sum tells.
        var likely: FoundRow { committed ?? any }

        mutating func add(_ row: FoundRow) {
            if row.isCommitted, committed.map({ $0.revision < row.revision }) ?? true { committed = row }
            let isSurer = row.revision == any.revision && row.isCommitted && !any.isCommitted
            if row.revision > any.revision || isSurer { any = row }
        }

        func holds(_ row: FoundRow) -> Bool {
            committed?.element == row.element || any.element == row.element
        }
    }

    private var whole: [Element: FoundRow] = [:]
    private var newest: [RowID: Newest] = [:]
    private var broken: [Element: FoundRow] = [:]

    /// A lane without rows.
    package init() {}

    /// The whole row of an id that counts where no sum tells; nil where none was found.
    package subscript(id: RowID) -> FoundRow? { newest[id]?.likely }

    /// Whether a place where a row of this element lies has nothing to add: it was found whole, and as sure.
    package func has(_ element: Element, isCommitted: Bool) -> Bool {
        whole[element].map { $0.isCommitted || !isCommitted } ?? false
    }

    /// Adds a row.
    package mutating func add(_ row: FoundRow) {
        guard row.isWhole else { return add(broken: row) }
        guard !has(row.element, isCommitted: row.isCommitted) else { return }
        whole[row.element] = row
        let before = newest[row.id]
        var now = before ?? Newest(committed: nil, any: row)
        now.add(row)
        newest[row.id] = now
        guard whole.count > 2 * newest.count + Self.maximumOlder else { return }
        for old in [before?.committed, before?.any, row] {
            if let old, !now.holds(old) { whole[old.element] = nil }
        }
    }

    private mutating func add(broken row: FoundRow) {
        if let present = broken[row.element] {
            // Of two damaged copies the one that still tells its name says more.
            if present.name == nil { broken[row.element] = row }
        } else if broken.count < Self.maximumBroken {
            broken[row.element] = row
        }
    }

    /// Compares the rows with the sum of the head, or without a head with those of backups.
    ///
    /// Rows that no commit ended count only where the sum is right with them.
    ///
    /// - Parameters:
    ///   - lane: Which lane this is.
    ///   - head: The newest head that opens.
    ///   - backups: The heads of backups, by their numbers.
    /// - Returns: the rows that are kept, and what is said of them.
    package func judged(lane: Int, by head: HeadContent?, backups: [HeadContent]) -> LaneVerdict {
        let committed = newest.compactMapValues(\.committed)
        let hasOthers = newest.values.contains { $0.any.element != $0.committed?.element }
        for rows in hasOthers ? [committed, newest.mapValues(\.any)] : [committed] {
            let sum = Self.sum(of: rows)
            if let head {
                // A row that is newer than the head shows that a newer head is lost: its sums are, too.
                guard !rows.values.contains(where: { $0.revision > head.generation }) else { continue }
                var missing = head.sums[lane]
                missing ^= sum
                if let odd = explanation(of: missing, rows) { return vouched(rows, odd) }
            } else if let number = backups.firstIndex(where: { $0.sums[lane] == sum }) {
                return verdict(.asInBackup(number), rows)
            }
        }
        return verdict(head == nil ? .unknown : .doubtful, newest.mapValues(\.likely))
    }

    private static func sum(of rows: [RowID: FoundRow]) -> Element {
        var sum = Element.zero
        for row in rows.values { sum ^= row.element }
        return sum
    }

    /// Rows that do not open and are no copies of rows that do.
    private var remains: [FoundRow] { broken.values.filter { whole[$0.element] == nil } }

    /// At most two rows that are all that keeps the lane from its sum.
    ///
    /// Of whole ones those that count came back although they were deleted or replaced, and the others are what replaced
    /// them; damaged ones belong to the lane. That others pass by chance has the odds of a forgery.
    private func explanation(of missing: Element, _ rows: [RowID: FoundRow]) -> [FoundRow]? {
        guard missing != .zero else { return [] }
        var known = whole
        for row in remains { known[row.element] = row }
        if let row = known[missing], Self.isPossible([row], rows) { return [row] }
        for row in known.values {
            var other = missing
            other ^= row.element
            if other != row.element, let second = known[other], Self.isPossible([row, second], rows) {
                return [row, second]
            }
        }
        return nil
    }

    /// Whether each id still has one version at most once the odd rows have changed sides.
    private static func isPossible(_ odd: [FoundRow], _ rows: [RowID: FoundRow]) -> Bool {
        let added = odd.filter { row in row.isWhole && rows[row.id]?.element != row.element }
        return Set(added.map(\.id)).count == added.count
            && added.allSatisfy { row in
                guard let present = rows[row.id] else { return true }
                return odd.contains { $0.element == present.element }
            }
    }

    /// The lane agrees with its sum once the odd rows have changed sides.
    private func vouched(_ rows: [RowID: FoundRow], _ odd: [FoundRow]) -> LaneVerdict {
        var verdict = LaneVerdict(state: .vouched)
        let lost = odd.filter { !$0.isWhole }
        for row in rows.values {
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
        for row in odd where row.isWhole && rows[row.id]?.element != row.element {
            verdict.kept.append((row, .vouched))
        }
        // Records that no commit ended.
        for (id, versions) in newest where rows[id] == nil && !odd.contains(where: { $0.id == id }) {
            verdict.leftOut.append(versions.any)
        }
        for row in lost where rows[row.id] == nil { verdict.add(lost: row.name) }
        return verdict.sorted
    }

    /// Everything that was found, as nothing tells what of it counts.
    private func verdict(_ state: LaneVerdict.State, _ rows: [RowID: FoundRow]) -> LaneVerdict {
        var verdict = LaneVerdict(state: state)
        var damaged: [RowID: FoundRow] = [:]
        for row in remains where row.name != nil && row.revision > damaged[row.id]?.revision ?? 0 {
            damaged[row.id] = row
        }
        for row in rows.values {
            let isOlder = damaged[row.id].map { $0.revision > row.revision } ?? false
            verdict.kept.append((row, isOlder ? .older : .doubtful))
        }
        for (id, row) in damaged where rows[id] == nil { verdict.add(lost: row.name) }
        return verdict.sorted
    }
}
