package import RecordStore
package import VaultPolicy

/// The data about a program's secret that the vault stores beside its value (Schemas/items.md).
package struct ItemRecord: Hashable, Sendable {
    /// The kind of the records.
    package static let kind = "secret.item"
    /// Bytes in the longest id that is read; new ids have 16.
    package static let longestID = 64
    /// Bytes in the longest label; the limit must never be lowered, because readers refuse longer labels (Schemas/items.md).
    package static let longestLabel = 4_096
    /// Bytes in the longest content type.
    package static let longestContentType = 128
    /// The size of a body above which the record states it; every smaller body counts as this size.
    package static let leastBytes = 4_096
    /// The most programs that a person may let read one item.
    package static let maximumReaders = 16

    /// The name of the item in the vault, and the last part of its path on the bus.
    package let id: String
    /// The id of the item's collection.
    package var collection: String
    /// The label that its program set.
    package var label: String
    /// The attributes by which its program finds it.
    package var attributes: ItemAttributes
    /// The program that made the item; nil if it has no owner.
    package var owner: ProgramIdentity?
    /// Programs that a person lets read the item permanently.
    package var readers: [ProgramIdentity]
    /// The program that wrote the present value; nil if unknown.
    package var writer: ProgramIdentity?
    /// The content type of the value; nil for `text/plain`.
    package var contentType: String?
    /// When the item was moved to the trash, Unix seconds; nil if it is not there.
    package var removedAt: UInt64?
    /// The number of bytes in the body, earlier values included; nil for 4 KiB or less.
    package var bytes: Int?
    /// When value, label or attributes last changed, Unix milliseconds; nil if that was the last write.
    package var changed: UInt64?
    /// The commit that wrote the record; 0 for a record that is not yet written.
    package let revision: Revision
    /// When the item was made, Unix milliseconds, as the store recorded it.
    package let created: UInt64
    /// When the item was last written, Unix milliseconds, as the store recorded it.
    package let modified: UInt64
    /// Expiry, Unix milliseconds; 0 for never.
    package let expires: UInt64

    /// Makes an item that is not yet written; the store sets its times.
    package init(
        id: String,
        collection: String,
        label: String,
        attributes: ItemAttributes,
        owner: ProgramIdentity?
    ) {
        self.id = id
        self.collection = collection
        self.label = label
        self.attributes = attributes
        self.owner = owner
        readers = []
        writer = owner
        (revision, created, modified, expires) = (0, 0, 0, 0)
    }

    /// When value, label or attributes last changed, Unix milliseconds.
    package var lastChange: UInt64 { changed ?? modified }

    /// The label of the record; a longer label is kept as an attribute.
    package var recordLabel: String { label.utf8.count <= RecordLimits.label ? label : "" }

    /// The bytes that count against the limit of a program: label, attributes and body.
    package var weight: Int {
        attributes.pairs.reduce(label.utf8.count) { $0 + $1.name.count + $1.value.count }
            + max(bytes ?? 0, Self.leastBytes)
    }
}

extension ItemRecord {
    /// The relation of the item to a program; an unknown program, nil, owns nothing and was granted nothing.
    package func relation(for program: ProgramIdentity?) -> ItemRelation {
        if let program, owner == program { return .own }
        if let program, readers.contains(program) { return .granted }
        return owner == nil ? .nobodys : .others
    }
}
