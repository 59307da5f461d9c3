internal import RecordStore

/// The items that hold one record: the one that counts, and what was left beside it.
struct Holding: Sendable {
    /// The item that counts.
    private(set) var current: RecordItem
    /// The others.
    private(set) var others: [RecordItem] = []

    /// A record with one item.
    init(_ item: RecordItem) {
        current = item
    }

    /// Takes another item of the same record into account.
    mutating func add(_ item: RecordItem) {
        if item.outranks(current) {
            others.append(current)
            current = item
        } else {
            others.append(item)
        }
    }

    /// Items of ours that the present one has replaced; what other programs wrote is never taken for that.
    var replaced: [ItemPath] {
        others.filter { $0.form != .foreign && $0.info.revision < current.info.revision }.map(\.path)
    }
}
