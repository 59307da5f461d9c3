package import Secrets
package import VaultCrypto

/// The state of an item import: the items added so far, and the number that remains.
struct ItemIntake {
    /// The indexes of the items in the order of their import.
    ///
    /// The newest is first if differing values are left out, and last if they become versions.
    let order: [Int]
    private let loaded: LoadedItems
    private let updates: Bool
    private let isTrial: Bool
    /// Missing collections that exceed the limit.
    private let surplus: Set<String>
    private var places: [Mark: ItemPlace] = [:]
    private var rest: [Mark: Int] = [:]
    private var added = ItemShare.none

    /// The key by which an import recognises an equal item.
    private struct Mark: Hashable {
        let collection: String
        let pairs: Set<ItemAttributes.Pair>

        init(_ item: ImportedItem) {
            (collection, pairs) = (item.collection, Set(item.attributes.searchable))
        }
    }

    init(
        _ items: [ImportedItem],
        _ loaded: LoadedItems,
        without surplus: Set<String>,
        updates: Bool,
        isTrial: Bool
    ) {
        (self.loaded, self.surplus, self.updates, self.isTrial) = (loaded, surplus, updates, isTrial)
        let (numbers, times) = (items.indices, items.map(\.modified))
        order =
            updates
            ? numbers.sorted { (times[$0], $0) < (times[$1], $1) }
            : numbers.sorted { (times[$1], $0) < (times[$0], $1) }
        for item in items { rest[Mark(item), default: 0] += 1 }
    }

    /// Imports the next item.
    mutating func take(
        _ item: ImportedItem,
        _ transaction: inout ItemTransaction
    ) throws -> ItemImportOutcome {
        let mark = Mark(item)
        rest[mark, default: 1] -= 1
        guard let place = place(of: item, mark) else {
            guard !surplus.contains(item.collection), loaded.hasRoom(for: added + item.share) else {
                return ItemImportOutcome(place: nil, act: .noRoom)
            }
            let place = try add(item, mark, &transaction)
            return ItemImportOutcome(place: isTrial ? nil : place, act: .added)
        }
        let (_, content, _) = try transaction.open(place.id)
        let shown = places[mark] != nil && isTrial ? nil : place
        // If a newer item of the import follows, a value among the earlier versions counts as known too.
        let isFollowed = updates && rest[mark, default: 0] > 0
        let kept = isFollowed ? content.numbers.compactMap { content.value(of: $0) } : [content.value]
        if kept.contains(where: { ConstantTime.equal($0, item.value) }) {
            return ItemImportOutcome(place: shown, act: .known)
        }
        guard updates else { return ItemImportOutcome(place: shown, act: .differs) }
        var change = ItemChange()
        (change.value, change.contentType) = (item.value, item.contentType)
        // The old value stays as a version.
        let growth = ItemShare(count: 0, bytes: item.value.count + 512)
        guard loaded.hasRoom(for: added + growth) else {
            return ItemImportOutcome(place: shown, act: .noRoom)
        }
        added = added + growth
        try Vault.apply(change, to: place.id, by: nil, &transaction)
        return ItemImportOutcome(place: shown, act: .versioned)
    }

    /// The place of an item with equal attributes, from the vault or from this import; nil if there is none.
    private func place(of item: ImportedItem, _ mark: Mark) -> ItemPlace? {
        if let place = places[mark] { return place }
        let old = loaded.index.replaced(by: item.attributes, in: item.collection, for: nil)?.record
        return old.map { ItemPlace(collection: $0.collection, id: $0.id) }
    }

    private mutating func add(
        _ item: ImportedItem,
        _ mark: Mark,
        _ transaction: inout ItemTransaction
    ) throws -> ItemPlace {
        let making = ItemMaking(
            collection: item.collection,
            label: item.label,
            attributes: item.attributes,
            contentType: item.contentType,
            value: item.value
        )
        // A time in the future is due to a wrong clock of the keyring, and is replaced by the present time.
        func known(_ time: UInt64) -> UInt64 { time > 0 && time < transaction.now ? time : transaction.now }
        let place = try Vault.add(
            making,
            owner: nil,
            created: known(item.created),
            valueFrom: known(item.modified),
            &transaction
        )
        places[mark] = place
        added = added + item.share
        return place
    }
}

extension ImportedItem {
    /// The most that an item counts: besides the value, its body has some times, numbers and a content type.
    fileprivate var share: ItemShare {
        let names = attributes.pairs.reduce(label.utf8.count) { $0 + $1.name.count + $1.value.count }
        return ItemShare(count: 1, bytes: names + max(value.count + 512, ItemRecord.leastBytes))
    }
}

/// An item that a program stores.
package struct ItemMaking: Sendable, Codable {
    /// The id of the item's collection.
    package var collection: String
    /// The label that the program sets.
    package var label: String
    /// The attributes by which the program finds the item.
    package var attributes: ItemAttributes
    /// The content type of the value; nil for `text/plain`.
    package var contentType: String?
    /// The value.
    package var value: Secret
    /// Whether the item replaces an item of the collection with equal attributes.
    package var replaces: Bool

    /// Makes an item to store.
    package init(
        collection: String,
        label: String,
        attributes: ItemAttributes,
        contentType: String? = nil,
        value: Secret,
        replaces: Bool = false
    ) {
        self.collection = collection
        self.label = label
        self.attributes = attributes
        self.contentType = contentType
        self.value = value
        self.replaces = replaces
    }
}

/// The result of storing an item.
package struct ItemOutcome: Hashable, Sendable, Codable {
    /// The place of the item.
    package let place: ItemPlace
    /// Whether the item is new; if not, it replaced the existing item with this id.
    package let isNew: Bool
}
