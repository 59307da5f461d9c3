/// The rows of one lane that a repair found: every whole version of each id, and damaged rows.
package struct LaneSalvage: Sendable {
    /// Damaged rows that are kept for the sums; further ones are dropped.
    private static let maximumBroken = 4_096
    /// Older versions that are kept for the sums.
    private static let maximumOlder = 4_096

    /// The newest versions of one id.
    private struct Newest {
        /// The newest version that a commit ended.
        var committed: FoundRow?
        var any: FoundRow

        /// The version to use if no sum decides.
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

    /// The whole row to use for an id if no sum decides; nil if none was found.
    package subscript(id: RowID) -> FoundRow? { newest[id]?.likely }

    /// Whether a copy of this row adds nothing: the row was found whole, and committed if this copy is.
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
            // A damaged copy that still has its name says more.
            if present.name == nil { broken[row.element] = row }
        } else if broken.count < Self.maximumBroken {
            broken[row.element] = row
        }
    }

    /// Compares the rows with the lane's sum in the head or, without a head, with the sums of backups.
    ///
    /// Uncommitted rows count only if the sum is right with them.
    ///
    /// - Parameters:
    ///   - lane: The number of the lane.
    ///   - head: The newest head that opens.
    ///   - backups: The heads of backups, by their numbers.
    /// - Returns: the rows to keep, and the state of the lane.
    package func judged(lane: Int, by head: HeadContent?, backups: [HeadContent]) -> LaneVerdict {
        let committed = newest.compactMapValues(\.committed)
        let hasOthers = newest.values.contains { $0.any.element != $0.committed?.element }
        for rows in hasOthers ? [committed, newest.mapValues(\.any)] : [committed] {
            let sum = Self.sum(of: rows)
            if let head {
                // A row newer than the head shows that a newer head, with its sums, is lost.
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

    /// Damaged rows that are not copies of whole rows.
    private var remains: [FoundRow] { broken.values.filter { whole[$0.element] == nil } }

    /// At most two rows that explain the difference between the lane and its sum; nil if no rows do.
    ///
    /// A whole row among `rows` came back although it was deleted or replaced; another whole row replaced it.
    /// Damaged rows belong to the lane. Other rows fit by chance only with the odds of a forgery.
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

    /// Whether each id has at most one version after the odd rows are moved in or out.
    private static func isPossible(_ odd: [FoundRow], _ rows: [RowID: FoundRow]) -> Bool {
        let added = odd.filter { row in row.isWhole && rows[row.id]?.element != row.element }
        return Set(added.map(\.id)).count == added.count
            && added.allSatisfy { row in
                guard let present = rows[row.id] else { return true }
                return odd.contains { $0.element == present.element }
            }
    }

    /// The verdict on a lane that agrees with its sum after the odd rows are moved in or out.
    private func vouched(_ rows: [RowID: FoundRow], _ odd: [FoundRow]) -> LaneVerdict {
        var verdict = LaneVerdict(state: .vouched)
        let lost = odd.filter { !$0.isWhole }
        for row in rows.values {
            let isOut = odd.contains { $0.isWhole && $0.element == row.element }
            // This is all that remains of a record whose newest version is damaged.
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

    /// Keeps every row, because nothing shows which of the rows are valid.
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
