internal import Secrets

/// The errors about items of programs and their collections.
public enum ItemError: Error, Equatable, Sendable, Codable {
    /// No item has this id.
    case unknownItem
    /// The item is in the trash.
    case inTrash
    /// No version has this number.
    case unknownVersion
    /// No collection has this id.
    case unknownCollection
    /// The collection always exists.
    case fixedCollection
    /// The collection is closed for programs on the bus.
    case closed
    /// The id, label, content type or attributes are invalid.
    case badItem
    /// The value is longer than this many bytes.
    case valueTooLong(limit: Int)
    /// The limit of items is reached, for the vault or for one program.
    case tooManyItems(limit: Int)
    /// The limit of bytes of all items is reached, for the vault or for one program.
    case tooManyBytes(limit: Int)
    /// The limit of collections is reached.
    case tooManyCollections(limit: Int)
    /// The limit of programs that may read the item without a question is reached.
    case tooManyReaders(limit: Int)
    /// The call names more than this many items.
    case tooManyInCall(limit: Int)
    /// The operation is reserved for hsip itself.
    case onlyByPeople
    /// Another change happened between the verdict and the operation; the caller judges the same call again.
    case changedMeanwhile
    /// This version cannot read the record of an item or a collection.
    case unreadable
    /// No locked memory was available.
    case outOfMemory
}

/// The limits on the items of programs in a vault.
package enum ItemLimits {
    /// The most items in the vault.
    package static let items = 20_000
    /// The most items of one owner, so that one program cannot fill the vault.
    package static let itemsOfOwner = 10_000
    /// Bytes of all items together, 256 MiB.
    package static let bytes = 256 << 20
    /// Bytes of the items of one owner, 64 MiB.
    package static let bytesOfOwner = 64 << 20
    /// Bytes of the trash that one owner's own operations may fill, 64 MiB; the oldest items are erased first.
    package static let removedBytes = 64 << 20
    /// The most items in the trash; the oldest items are erased first.
    package static let removed = 1_000
    /// The most collections with a record.
    package static let collections = 64
    /// Bytes of a value, 1 MiB.
    package static let value = SealedValue.longest
    /// The last second of the year 9999, the latest valid expiry.
    package static let latestEnd: UInt64 = 253_402_300_799
}
