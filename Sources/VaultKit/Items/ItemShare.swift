internal import Secrets
internal import VaultPolicy

/// A number of items, and the bytes that they count together; for a change both may be negative.
struct ItemShare: Hashable {
    /// No items.
    static let none = ItemShare(count: 0, bytes: 0)

    let count: Int
    let bytes: Int

    init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }

    /// The share of one item.
    init(_ record: ItemRecord) { self.init(count: 1, bytes: record.weight) }

    static func + (left: Self, right: Self) -> Self {
        Self(count: left.count + right.count, bytes: left.bytes + right.bytes)
    }

    static func - (left: Self, right: Self) -> Self {
        Self(count: left.count - right.count, bytes: left.bytes - right.bytes)
    }

    /// Refuses a change that would exceed the limit; a change that removes something is never refused.
    ///
    /// - Throws: `ItemError.tooManyItems`; `tooManyBytes`.
    func require(_ change: ItemShare, below limits: ItemShare) throws {
        let share = self + change
        guard change.count <= 0 || share.count <= limits.count else {
            throw ItemError.tooManyItems(limit: limits.count)
        }
        guard change.bytes <= 0 || share.bytes <= limits.bytes else {
            throw ItemError.tooManyBytes(limit: limits.bytes)
        }
    }
}

extension LoadedItems {
    private static let limits = ItemShare(count: ItemLimits.items, bytes: ItemLimits.bytes)

    /// Whether the vault has room for more items, of any owner.
    func hasRoom(for more: ItemShare) -> Bool {
        let share = owned.values.reduce(more, +)
        return share.count <= Self.limits.count && share.bytes <= Self.limits.bytes
    }

    private static let limitsOfOwner = ItemShare(
        count: ItemLimits.itemsOfOwner,
        bytes: ItemLimits.bytesOfOwner
    )

    /// Throws if a transaction exceeds the limits of all items, or of an owner whose share grows.
    ///
    /// Items without an owner have the limits of one owner only if an unknown program adds them. An import may use all the
    /// room in the vault.
    ///
    /// - Throws: `ItemError.tooManyItems`; `tooManyBytes`.
    func requireRoom(for transaction: ItemTransaction, by caller: Caller) throws {
        var growth: [ProgramIdentity?: ItemShare] = [:]
        for (id, record) in transaction.items {
            if let old = index[id] { growth[old.owner] = growth[old.owner, default: .none] - ItemShare(old) }
            guard let record, record.removedAt == nil else { continue }
            growth[record.owner] = growth[record.owner, default: .none] + ItemShare(record)
        }
        let all = owned.values.reduce(.none, +)
        try all.require(growth.values.reduce(.none, +), below: Self.limits)
        let isUnknown = caller.bus.map { $0.identity == nil } ?? false
        for (owner, change) in growth where owner != nil || isUnknown {
            try owned[owner, default: .none].require(change, below: Self.limitsOfOwner)
        }
    }
}
