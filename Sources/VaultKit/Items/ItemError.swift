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
