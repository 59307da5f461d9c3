internal import RecordStore

extension NamedRecordTransaction {
    /// Makes a name free: a record in the trash gives it up, any other does not.
    ///
    /// - Throws: that the name is bad or taken; `tampered` for the name of a damaged record.
    mutating func claim(_ name: String) throws(VaultError) {
        guard Content.isName(name) else { throw Content.refusals.bad }
        guard let attributes = try attributes(name) else { return }
        guard attributes.removedAt != nil else { throw Content.refusals.taken }
        try move(name, to: try freeName(like: name), as: try open(name, inTrash: true))
    }

    /// Whether a claim would be refused because another record has the name.
    mutating func isTaken(_ name: String) throws(VaultError) -> Bool {
        guard Content.isName(name) else { throw Content.refusals.bad }
        guard !(try isFree(name)) else { return false }
        return try readable(name)?.removedAt == nil
    }

    /// Names that are tried before a damaged record counts as a reason to stop.
    private static var maximumTries: Int { 1_000 }

    /// A name like this one that no record has.
    ///
    /// A hundred thousand of one name are each given a number without trying those that were given before.
    ///
    /// - Throws: `tampered` where a thousand names were tried and the next one may be that of a damaged record.
    mutating func freeName(like name: String, ending: String = "") throws(VaultError) -> String {
        let longest = Content.longestName
        let wanted = NumberedName.adding(ending, to: name, longest: longest)
        guard !(try isFree(wanted)) else { return wanted }
        // Long names that differ in their ends alone share their numbers, too.
        let common = NumberedName.adding("-2", to: wanted, longest: longest)
        var (number, free) = (numbers[common] ?? 2, common)
        if number > 2 { free = NumberedName.adding("-\(number)", to: wanted, longest: longest) }
        let first = number
        while !(try isFree(free)) {
            // Where a page of the keyring is damaged, no name that it may have is free: there is no end to those.
            if number - first >= Self.maximumTries { _ = try attributes(free) }
            number += 1
            free = NumberedName.adding("-\(number)", to: wanted, longest: longest)
        }
        numbers[common] = number
        return free
    }

    /// Puts a record into the trash, after a last change of it.
    ///
    /// - Throws: that there is none; that it is in the trash; what the change throws.
    mutating func remove(
        _ name: String,
        _ change: (inout Content) throws(VaultError) -> Void = { _ in }
    ) throws(VaultError) {
        var content = try open(name)
        try change(&content)
        content.removedAt = trash.removalTime
        try replace(name, by: content)
        purge()
    }

    /// Takes a record out of the trash; one that is not in it stays as it is.
    ///
    /// - Throws: that there is none.
    mutating func restore(_ name: String) throws(VaultError) {
        var content = try open(name, inTrash: true)
        guard content.removedAt != nil else { return }
        content.removedAt = nil
        try replace(name, by: content)
        purge()
    }

    /// Whether no record has a name; that of a damaged one is not free.
    mutating func isFree(_ name: String) throws(VaultError) -> Bool {
        do throws(VaultError) {
            return try attributes(name) == nil
        } catch {
            guard case .store(.tampered(.record(let damaged))) = error, damaged.name == name else {
                throw error
            }
            return false
        }
    }
}
