internal import AgentProtocol
internal import Glibc
internal import Secrets
internal import VaultCrypto
internal import VaultKit

/// The collection `session`: items in the locked memory of this process, until it ends.
///
/// A process sees and has only what it made itself: which program it runs is for the agent to read, which is not asked.
struct SessionCollection {
    static let id = "session"
    static let label = "Session"
    /// Items of all processes.
    static let maximum = 256
    /// Bytes in all values together, 1 MiB.
    static let longest = 1 << 20

    /// An item, with its value.
    struct Item {
        let id: String
        let maker: ProcessID
        var label: String
        var attributes: ItemAttributes
        var value: Secret
        var contentType: String?
        let created: UInt64
        var modified: UInt64

        var place: ItemPlace { ItemPlace(collection: SessionCollection.id, id: id) }
    }

    /// By their last change, the newest last.
    private var items: [Item] = []
    private let now: () -> UInt64
    private let entropy: Entropy
    private let isAlive: (ProcessID) -> Bool

    /// An empty one.
    ///
    /// - Parameters:
    ///   - now: the wall clock, Unix seconds.
    ///   - entropy: where ids come from.
    ///   - isAlive: whether a process still runs.
    init(
        now: @escaping () -> UInt64 = { UInt64(max(0, time(nil))) },
        entropy: Entropy = .system,
        isAlive: @escaping (ProcessID) -> Bool = { $0.isRunning }
    ) {
        self.now = now
        self.entropy = entropy
        self.isAlive = isAlive
    }

    /// The items of a process that have these attributes, the newest change first.
    func found(_ attributes: ItemAttributes, by maker: ProcessID) -> [Item] {
        items.reversed().filter { $0.maker == maker && $0.attributes.matches(attributes) }
    }

    /// An item of a process; nil for another's, as for one that is not there.
    func item(_ id: String, of maker: ProcessID) -> Item? { items.first { $0.id == id && $0.maker == maker } }

    /// Takes an item in; one of the same process with equal attributes is replaced where that is wanted.
    ///
    /// - Throws: `CallFailure.tooMuch` for more items or bytes than there may be.
    mutating func make(_ making: ItemMaking, by maker: ProcessID) throws(CallFailure) -> (
        place: ItemPlace, isNew: Bool
    ) {
        let known = items.first {
            making.replaces && $0.maker == maker && $0.attributes.isEqual(to: making.attributes)
        }
        let item = Item(
            id: known?.id ?? Hex.encode(entropy.bytes(8)),
            maker: maker,
            label: making.label,
            attributes: making.attributes,
            value: making.value,
            contentType: making.contentType,
            created: known?.created ?? now(),
            modified: now()
        )
        try put(item)
        return (item.place, known == nil)
    }

    /// Changes an item; false for one that this process has not.
    mutating func change(_ id: String, _ change: ItemChange, by maker: ProcessID) throws(CallFailure) -> Bool
    {
        guard var item = item(id, of: maker) else { return false }
        item.label = change.label ?? item.label
        item.attributes = change.attributes ?? item.attributes
        if let value = change.value { (item.value, item.contentType) = (value, change.contentType) }
        item.modified = now()
        try put(item)
        return true
    }

    /// Removes an item; false for one that this process has not.
    mutating func remove(_ id: String, of maker: ProcessID) -> Bool {
        guard item(id, of: maker) != nil else { return false }
        items.removeAll { $0.id == id }
        return true
    }

    private mutating func put(_ item: Item) throws(CallFailure) {
        var others = items.filter { $0.id != item.id }
        if !Self.hasRoom(for: item, beside: others) {
            // Nobody can have what a process made that ended.
            others.removeAll { !isAlive($0.maker) }
            guard Self.hasRoom(for: item, beside: others) else { throw .tooMuch }
        }
        items = others + [item]
    }

    private static func hasRoom(for item: Item, beside others: [Item]) -> Bool {
        others.count < maximum && others.reduce(item.value.count) { $0 + $1.value.count } <= longest
    }
}
