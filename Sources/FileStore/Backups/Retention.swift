/// Which backups stay: the newest, and the last one of each of the newest months.
///
/// It knows only copies that were read whole; nothing else is ever removed, and nothing else counts.
package struct Retention: Equatable, Sendable {
    /// The most copies that can be asked for of either kind.
    package static let maximum = 1_000

    /// How many of the newest stay; at least one.
    package let newest: Int
    /// Of how many months the last one stays.
    package let monthly: Int

    /// - Returns: nil outside of the limits.
    package init?(newest: Int, monthly: Int) {
        guard 1...Self.maximum ~= newest, 0...Self.maximum ~= monthly else { return nil }
        self.newest = newest
        self.monthly = monthly
    }

    /// A copy that was read whole.
    package struct Entry: Equatable, Sendable {
        package let name: BackupName
        /// Which state of the vault it is.
        package let tag: [UInt8]
        /// The newest commit in it, as its own head says.
        package let generation: UInt64

        package init(name: BackupName, tag: [UInt8], generation: UInt64) {
            self.name = name
            self.tag = tag
            self.generation = generation
        }
    }

    /// The copies that may go.
    ///
    /// Several of one state are as good as one: they stay or go together.
    ///
    /// - Parameters:
    ///   - entries: what was read whole.
    ///   - present: the state that the vault has now: it stays whatever number another copy has.
    /// - Returns: what may go, the newest first.
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
