internal import RecordStore

/// What a search for records brought to light.
struct Shelved: Sendable {
    /// The records.
    private(set) var holdings: [RecordID: Holding] = [:]
    /// Items that were never finished: the service died between the two halves of their making.
    private(set) var unfinished: [ItemPath] = []
    /// Items of ours that cannot be read.
    private(set) var damaged: [DamagedItem] = []
    /// Items that another program gave our attributes, and that hold no record.
    private(set) var strays: [ItemPath] = []

    /// Takes an item into account.
    mutating func add(_ reading: ItemReading) {
        switch reading {
        case .stray(let path): strays.append(path)
        case .damaged(let item): damaged.append(item)
        case .unfinished(let path): unfinished.append(path)
        case .record(let item):
            if holdings[item.info.id]?.add(item) == nil { holdings[item.info.id] = Holding(item) }
        }
    }

    /// Takes what was found under one name, and says that it is another record, for damaged.
    ///
    /// - Parameter id: The name that it was found under; nil where only the kind was asked for.
    mutating func refuse(under id: RecordID?, unless isWanted: (RecordID) -> Bool) {
        for (found, holding) in holdings where !isWanted(found) {
            holdings[found] = nil
            for item in [holding.current] + holding.others {
                damaged.append(DamagedItem(path: item.path, id: id, isNewer: false))
            }
        }
    }

    /// Finds that no record is missing from a list because its item cannot be read.
    ///
    /// - Throws: `tampered`; `newerRecord`.
    func check(_ kind: RecordKind?) throws(StoreError) {
        if let item = damaged.first(where: { $0.record.mayBe(kind) }) { throw item.error }
    }
}

/// An item that says it holds a record of the vault, and that cannot be read.
struct DamagedItem: Sendable {
    /// Where it is.
    let path: ItemPath
    /// The name that it is found by; nil where it has none that a record can have.
    let id: RecordID?
    /// Whether a newer program wrote it.
    let isNewer: Bool

    /// The record that cannot be read.
    var record: DamagedRecord { DamagedRecord(id, part: .body) }

    /// What those hear who need it.
    var error: StoreError { isNewer ? .newerRecord : .tampered(.record(record)) }
}

/// What became of the reading of one item.
enum ItemReading: Sendable {
    case record(RecordItem)
    /// Never finished: no record.
    case unfinished(ItemPath)
    /// Ours, and not to be read.
    case damaged(DamagedItem)
    /// Another program's, and nothing that could be a record.
    case stray(ItemPath)
}
