internal import RecordStore

extension NamedRecordTransaction {
    /// Frees a name for a new record: renames a record in the trash, and refuses for any other.
    ///
    /// - Throws: the kind's errors for a bad or used name; `tampered` for the name of a damaged record.
    mutating func claim(_ name: String) throws {
        guard Content.isName(name) else { throw Content.refusals.bad }
        guard let attributes = try attributes(name) else { return }
        guard attributes.removedAt != nil else { throw Content.refusals.taken }
        try move(name, to: try freeName(like: name), as: try open(name, inTrash: true))
    }

    /// Whether `claim` would refuse because another record has the name.
    mutating func isTaken(_ name: String) throws -> Bool {
        guard Content.isName(name) else { throw Content.refusals.bad }
        guard !(try isFree(name)) else { return false }
        return try readable(name)?.removedAt == nil
    }

    /// The number of names to try before a damaged record counts as an error.
    private static var maximumTries: Int { 1_000 }

    /// A free name similar to this one.
    ///
    /// The last number of each name is remembered, so a hundred thousand equal names need no repeated search.
    ///
    /// - Throws: `tampered` if a thousand names were tried and the next one may be that of a damaged record.
    mutating func freeName(like name: String, ending: String = "") throws -> String {
        let longest = Content.longestName
        let wanted = NumberedName.adding(ending, to: name, longest: longest)
        guard !(try isFree(wanted)) else { return wanted }
        // Long names that differ only in their ends share their numbers.
        let common = NumberedName.adding("-2", to: wanted, longest: longest)
        var (number, free) = (numbers[common] ?? 2, common)
        if number > 2 { free = NumberedName.adding("-\(number)", to: wanted, longest: longest) }
        let first = number
        while !(try isFree(free)) {
            // If a page of the keyring is damaged, no name that it may contain is free, so the search would
            // never end.
            if number - first >= Self.maximumTries { _ = try attributes(free) }
            number += 1
            free = NumberedName.adding("-\(number)", to: wanted, longest: longest)
        }
        numbers[common] = number
        return free
    }

    /// Moves a record to the trash, after a last change of its content.
    ///
    /// - Throws: the kind's errors for an unknown name or a record in the trash; the errors of the change.
    mutating func remove(_ name: String, _ change: (inout Content) throws -> Void = { _ in }) throws {
        var content = try open(name)
        try change(&content)
        content.removedAt = trash.removalTime
        try replace(name, by: content)
        purge()
    }

    /// Restores a record from the trash; a record outside the trash stays as it is.
    ///
    /// - Throws: the kind's error for an unknown name.
    mutating func restore(_ name: String) throws {
        var content = try open(name, inTrash: true)
        guard content.removedAt != nil else { return }
        content.removedAt = nil
        try replace(name, by: content)
        purge()
    }

    /// Whether no record has a name; the name of a damaged record is not free.
    mutating func isFree(_ name: String) throws -> Bool {
        do {
            return try attributes(name) == nil
        } catch StoreError.tampered(.record(let damaged)) where damaged.name == name {
            return false
        }
    }
}
