package import RecordStore

/// Why a repair does not begin; nothing was written.
package enum RepairRefusal: Error, Equatable, Sendable {
    /// The file, or its log, has more bytes than are searched.
    case tooLarge
    /// More has the shape of a row than is judged.
    case tooManyRows
    /// Nothing of a vault was found, and so many blocks of 4 KiB could not be read.
    case unreadable(blocks: Int)
    /// The file that was named as a backup is one of another vault, or from before the vault key changed.
    case otherBackup(path: String)
    /// The file that was named as a backup cannot be opened as one.
    case badBackup(path: String, StoreError)
}

/// Which vault, and which of its keys.
package struct RepairVault: Hashable, Sendable {
    /// 16 bytes, public.
    package let id: [UInt8]
    /// The key epoch.
    package let epoch: UInt32

    /// A vault by its id and key epoch.
    package init(id: [UInt8], epoch: UInt32) {
        self.id = id
        self.epoch = epoch
    }
}
