internal import RecordStore

/// What a search for records brought to light.
struct Shelved: Sendable {
    /// The records.
    private(set) var holdings: [RecordID: Holding] = [:]
    /// Items that were never finished: the service died between the two halves of their making.
    private(set) var unfinished: [ItemPath] = []

    /// Takes an item into account.
    mutating func add(_ reading: ItemReading) {
        switch reading {
        case .stray: break
        case .unfinished(let path): unfinished.append(path)
        case .record(let item):
            if holdings[item.info.id]?.add(item) == nil { holdings[item.info.id] = Holding(item) }
        }
    }
}

/// What became of the reading of one item.
enum ItemReading: Sendable {
    case record(RecordItem)
    /// Never finished: no record.
    case unfinished(ItemPath)
    /// Another program's, and nothing that could be a record.
    case stray
}
