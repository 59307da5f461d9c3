/// The verified rows of one lane: which ids are there, and the element of each.
///
/// 32 bytes a record.
struct LaneMap: Sendable {
    private struct Entry: Sendable {
        let id: RowID
        var element: Element
    }

    private var entries: [Entry] = []
    private(set) var sum = Element.zero

    /// How many rows the lane has.
    var count: Int { entries.count }

    /// The ids, ascending.
    var ids: [RowID] { entries.map(\.id) }

    /// Adds the next row of a scan; false unless its id is above the last one.
    ///
    /// Equal ids would cancel in the sum, so a lane is a set only because order is demanded.
    mutating func append(_ id: RowID, _ element: Element) -> Bool {
        if let last = entries.last, last.id >= id { return false }
        entries.append(Entry(id: id, element: element))
        sum ^= element
        return true
    }

    /// The element of a row; nil when the lane has no such row.
    subscript(id: RowID) -> Element? {
        let place = place(of: id)
        return place < entries.count && entries[place].id == id ? entries[place].element : nil
    }

    /// Puts a row in, changes its element, or (nil) takes it out.
    mutating func set(_ id: RowID, to element: Element?) {
        let place = place(of: id)
        let exists = place < entries.count && entries[place].id == id
        if exists { sum ^= entries[place].element }
        if let element { sum ^= element }
        switch (exists, element) {
        case (true, let element?): entries[place].element = element
        case (true, nil): entries.remove(at: place)
        case (false, let element?): entries.insert(Entry(id: id, element: element), at: place)
        case (false, nil): break
        }
    }

    /// The first place whose id is not below `id`.
    private func place(of id: RowID) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
