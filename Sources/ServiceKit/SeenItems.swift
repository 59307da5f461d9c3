internal import VaultKit

/// What a client read of items: so it is told when that is another value, and of nothing else.
///
/// Hashes are enough for that; labels and attributes are not kept.
struct SeenItems {
    /// Items of one client; the one that was read first makes room.
    static let maximum = 64

    private var hashes: [ItemPlace: [String: Int]] = [:]
    /// In the order in which they were read.
    private(set) var places: [ItemPlace] = []

    func has(_ place: ItemPlace) -> Bool { hashes[place] != nil }

    /// Remembers what it read.
    mutating func note(_ place: ItemPlace, _ properties: [String: PropertyValue]) {
        remove(place)
        if places.count >= Self.maximum, let first = places.first { remove(first) }
        hashes[place] = properties.mapValues(\.hashValue)
        places.append(place)
    }

    /// Forgets an item.
    mutating func remove(_ place: ItemPlace) {
        guard hashes.removeValue(forKey: place) != nil else { return }
        places.removeAll { $0 == place }
    }

    /// What of these properties is another value than it knows, which it does from now on; nothing of an item that it never
    /// read.
    mutating func changes(
        of place: ItemPlace,
        _ properties: [String: PropertyValue]
    ) -> [String: PropertyValue] {
        guard let known = hashes[place] else { return [:] }
        let changes = properties.filter { known[$0.key] != $0.value.hashValue }
        hashes[place]?.merge(changes.mapValues(\.hashValue)) { _, new in new }
        return changes
    }
}
