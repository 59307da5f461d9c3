internal import Secrets

/// The errors about items of programs and their collections.
public enum ItemError: Error, Equatable, Sendable, Codable {
    /// No item has this id.
    case unknownItem
    /// The item is in the trash.
    case inTrash
    /// No version has this number.
    case unknownVersion
    /// There is no such collection.
    case unknownCollection
    /// The collection is always there.
    case fixedCollection
    /// The collection is closed for programs on the bus.
    case closed
    /// An id, a label, a content type or attributes that no item can have.
    case badItem
    /// The value is longer than this many bytes.
    case valueTooLong(limit: Int)
    /// There are as many items as there may be, in all or of one program.
    case tooManyItems(limit: Int)
    /// The items have as many bytes together as there may be, in all or of one program.
    case tooManyBytes(limit: Int)
    /// There are as many collections as there may be.
    case tooManyCollections(limit: Int)
    /// As many programs as there may be have the item without a question.
    case tooManyReaders(limit: Int)
    /// A call is about more than this many.
    case tooManyInCall(limit: Int)
    /// A program asks for what only hsip itself may do.
    case onlyByPeople
    /// Another change came between the verdict and the act: the same call is judged again.
    case changedMeanwhile
    /// A record of an item or a collection that this version cannot read.
    case unreadable
    /// Locked memory is not to be had.
    case outOfMemory
}

/// How much of the items of programs a vault keeps.
package enum ItemLimits {
    /// Items in all.
    package static let items = 20_000
    /// Items of one owner: a program cannot fill the vault for the others.
    package static let itemsOfOwner = 10_000
    /// Bytes of all items together, 256 MiB.
    package static let bytes = 256 << 20
    /// Bytes of the items of one owner, 64 MiB.
    package static let bytesOfOwner = 64 << 20
    /// Bytes in the trash of one owner that its own acts fill, 64 MiB; the oldest go.
    package static let removedBytes = 64 << 20
    /// Items in the trash; the oldest go.
    package static let removed = 1_000
    /// Collections with a record.
    package static let collections = 64
    /// Bytes of a value, 1 MiB.
    package static let value = SealedValue.longest
    /// The last second of the year 9999: no end is later.
    package static let latestEnd: UInt64 = 253_402_300_799
}
