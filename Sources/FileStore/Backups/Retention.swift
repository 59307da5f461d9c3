/// The rule for the backups to keep: the newest, and each last backup of the newest months.
///
/// Only backups that were read completely count, and only they are ever removed.
package struct Retention: Equatable, Sendable {
    /// The most backups that can be kept, of the newest and of the monthly ones.
    package static let maximum = 1_000

    /// How many of the newest backups stay; at least one.
    package let newest: Int
    /// The number of months whose last backup stays.
    package let monthly: Int

    /// - Returns: nil outside the limits.
    package init?(newest: Int, monthly: Int) {
        guard 1...Self.maximum ~= newest, 0...Self.maximum ~= monthly else { return nil }
        self.newest = newest
        self.monthly = monthly
    }

    /// A backup that was read completely.
    package struct Entry: Equatable, Sendable {
        package let name: BackupName
        /// The tag of the backed-up state of the vault.
        package let tag: [UInt8]
        /// The newest commit in the backup, as its own head says.
        package let generation: UInt64

        package init(name: BackupName, tag: [UInt8], generation: UInt64) {
            self.name = name
            self.tag = tag
            self.generation = generation
        }
    }

    /// The backups that may be removed.
    ///
    /// Backups of one state are worth as much as one: they stay or go together.
    ///
    /// - Parameters:
    ///   - entries: the backups that were read completely.
    ///   - present: the vault's present state, which stays whatever generation another backup has.
    /// - Returns: the backups to remove, the newest first.
    package func surplus(of entries: [Entry], besides present: [UInt8]) -> [Entry] {
        var kept: Set = [present]
        var months: Set<String> = []
        let latest = entries.sorted { ($0.generation, $0.name.time) > ($1.generation, $1.name.time) }
        for entry in latest where kept.count < newest { kept.insert(entry.tag) }
        for entry in latest where months.count < monthly {
            if months.insert(entry.name.month).inserted { kept.insert(entry.tag) }
        }
        return latest.filter { !kept.contains($0.tag) }
    }
}
