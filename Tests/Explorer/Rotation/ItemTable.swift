/// Small numbers for items, in the order in which a walk first meets them, so that a set of items is 128
/// bits.
package struct ItemTable {
    /// What the numbers stand for.
    package private(set) var items: [Item] = []
    private var numbers: [Item: UInt8] = [:]

    /// How many items a walk has room for; the largest of the usual bounds needs 82.
    package static let capacity = 128

    /// No items yet.
    package init() {}

    /// The number of an item.
    ///
    /// - Throws: `tooManyNames` for the 129th.
    package mutating func number(of item: Item) throws(ExplorerError) -> UInt8 {
        if let known = numbers[item] { return known }
        guard items.count < Self.capacity else { throw .tooManyNames }
        let number = UInt8(items.count)
        items.append(item)
        numbers[item] = number
        return number
    }
}
