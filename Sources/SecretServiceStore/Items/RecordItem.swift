internal import RecordStore
internal import VaultCrypto

/// An item that was read and found to hold a record.
struct RecordItem: Sendable {
    /// Where it is.
    let path: ItemPath
    /// How it holds the record.
    let form: ItemForm
    /// What it says of the record.
    let info: RecordInfo
    /// The secret; nil when nobody asked for it, or when a newer program wrote the record.
    let body: Secret?
    /// When the provider says that it was changed last; 0 where nobody asked.
    let changed: UInt64

    /// Whether this item counts and the other one does not, when both hold the same record.
    func outranks(_ other: RecordItem) -> Bool {
        if info.revision != other.info.revision { return info.revision > other.info.revision }
        if (form == .foreign) != (other.form == .foreign) { return form != .foreign }
        if changed != other.changed { return changed > other.changed }
        return path < other.path
    }
}
