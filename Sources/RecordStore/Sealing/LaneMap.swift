/// The verified rows of one lane: their ids, and the element of each.
///
/// A row needs 32 bytes.
struct LaneMap: Sendable {
    private struct Entry: Sendable {
        let id: RowID
        var element: Element
    }

    private var entries: [Entry] = []
    private(set) var sum = Element.zero

    /// The number of rows in the lane.
    var count: Int { entries.count }

    /// The ids, ascending.
    var ids: [RowID] { entries.map(\.id) }

    /// Adds the next row of a scan; false unless its id is above the last one.
    ///
    /// Equal ids would cancel in the sum, so only the order makes a lane a set.
    mutating func append(_ id: RowID, _ element: Element) -> Bool {
        if let last = entries.last, last.id >= id { return false }
        entries.append(Entry(id: id, element: element))
        sum ^= element
        return true
    }

    /// The element of a row; nil if the lane does not have the row.
    subscript(id: RowID) -> Element? {
        let place = place(of: id)
        return place < entries.count && entries[place].id == id ? entries[place].element : nil
    }

    /// Adds a row or changes its element; removes the row if the element is nil.
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

    /// The first index whose id is not below `id`.
    private func place(of id: RowID) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
