package import RecordStore
package import VaultPolicy

/// What the vault keeps of a program's secret beside its value (Schemas/items.md).
package struct ItemRecord: Hashable, Sendable {
    /// The kind of the records.
    package static let kind = "secret.item"
    /// Bytes in the longest id that is read; new ids have 16.
    package static let longestID = 64
    /// Bytes in the longest label, which is never lowered: readers refuse more (Schemas/items.md).
    package static let longestLabel = 4_096
    /// Bytes in the longest content type.
    package static let longestContentType = 128
    /// Bytes of a body above which the record says how many there are: every smaller one counts as much.
    package static let leastBytes = 4_096
    /// Identities that a person may let read one item.
    package static let maximumReaders = 16

    /// Its name in the vault and the last part of its path on the bus.
    package let id: String
    /// The id of the collection that it is in.
    package var collection: String
    /// What its program calls it.
    package var label: String
    /// By what its program finds it.
    package var attributes: ItemAttributes
    /// The program that made it; nil for nobody.
    package var owner: ProgramIdentity?
    /// Programs that a person let have it for good.
    package var readers: [ProgramIdentity]
    /// The program that wrote the present value; nil where that is not known.
    package var writer: ProgramIdentity?
    /// The content type of the value; nil for `text/plain`.
    package var contentType: String?
    /// When it was put into the trash, Unix seconds; nil while it is not there.
    package var removedAt: UInt64?
    /// How many bytes the body has, with the values of before; nil where these are 4 KiB or less.
    package var bytes: Int?
    /// When its value, its label or its attributes were last changed, Unix milliseconds; nil where that is when it was last
    /// written.
    package var changed: UInt64?
    /// The commit that wrote the record; 0 for a record that is to be written.
    package let revision: Revision
    /// When it was made, Unix milliseconds; the store's own.
    package let created: UInt64
    /// When it was last written, Unix milliseconds; the store's own.
    package let modified: UInt64
    /// When it ceases to be of use, Unix milliseconds; 0 for never.
    package let expires: UInt64

    /// An item that is to be written; its times are the store's.
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

    /// When its value, its label or its attributes were last changed, Unix milliseconds.
    package var lastChange: UInt64 { changed ?? modified }

    /// The label of the record; a longer label is kept as an attribute.
    package var recordLabel: String { label.utf8.count <= RecordLimits.label ? label : "" }

    /// How many bytes it counts where those of a program are limited: its label, its attributes and its body.
    package var weight: Int {
        attributes.pairs.reduce(label.utf8.count) { $0 + $1.name.count + $1.value.count }
            + max(bytes ?? 0, Self.leastBytes)
    }
}

extension ItemRecord {
    /// The relation of the item to a program; nil is an unknown program, which owns nothing and was granted nothing.
    package func relation(for program: ProgramIdentity?) -> ItemRelation {
        if let program, owner == program { return .own }
        if let program, readers.contains(program) { return .granted }
        return owner == nil ? .nobodys : .others
    }
}
