/// The texts under a typed key that were encrypted and decrypted here, where a person wants them remembered.
public struct TextHistory: Sendable, Hashable, Codable {
    /// An entry in its place.
    public struct Item: Sendable, Hashable, Codable {
        /// Its number, by which it is taken out; none is used twice.
        public let number: UInt64
        /// When it was written, Unix seconds.
        public let time: UInt64
        /// What it says.
        public let entry: TextEntry
    }

    /// Entries that are kept; of more the oldest goes.
    public static let maximum = 100

    /// Whether new entries are written.
    ///
    /// Those that are there stay when it is switched off.
    public internal(set) var isOn = false
    /// The number of the next entry, from 1 on.
    var next: UInt64 = 1
    /// The entries, the newest last.
    public internal(set) var items: [Item] = []

    /// Nothing is remembered, nor will be.
    init() {}

    /// Adds an entry; of more than `most` the oldest goes.
    ///
    /// - Throws: `malformed` where no number is left.
    mutating func add(_ entry: TextEntry, at second: UInt64) throws(TextHistoryError) {
        let (following, isOver) = next.addingReportingOverflow(1)
        guard !isOver else { throw .malformed }
        items.append(Item(number: next, time: second, entry: entry))
        next = following
        if items.count > Self.maximum { items.removeFirst(items.count - Self.maximum) }
    }
}

/// How the history is after an act, without what it says.
public struct TextHistoryState: Sendable, Hashable, Codable {
    /// Whether new entries are written.
    public let isOn: Bool
    /// How many entries there are.
    public let count: Int

    init(_ history: TextHistory) {
        isOn = history.isOn
        count = history.items.count
    }
}
