package import Secrets
package import VaultCrypto
package import VaultPolicy

/// A change of items; a part that is nil stays.
package struct ItemChange: Sendable, Codable {
    /// The most items of one call.
    package static let maximum = 10_000

    /// The new label.
    package var label: String?
    /// The attributes that replace all attributes of the item.
    package var attributes: ItemAttributes?
    /// The new value; for one item only.
    package var value: Secret?
    /// The content type of the new value; nil for `text/plain`.
    package var contentType: String?
    /// The new expiry, Unix seconds, 0 for never; only hsip may set it.
    package var expires: UInt64?
    /// The new owner; only hsip may set it.
    package var owner: Owner?
    /// Programs that may read the item without a question from now on; only hsip may set them.
    package var newReaders: [ProgramIdentity] = []
    /// Programs that need a question again; only hsip may set them.
    package var formerReaders: [ProgramIdentity] = []

    /// The owner of an item.
    package enum Owner: Hashable, Sendable, Codable {
        /// No program owns the item.
        case nobody
        /// A program owns the item.
        case program(ProgramIdentity)
    }

    /// Makes an empty change.
    package init() {}

    /// Whether the change sets readers, owner or expiry, which only hsip may do.
    var isForPeople: Bool { expires != nil || decidesLater }

    /// Whether the change sets the programs that may read the item without a question.
    var decidesLater: Bool { owner != nil || !newReaders.isEmpty || !formerReaders.isEmpty }

    /// Whether the change may add bytes to an item.
    var addsBytes: Bool { label != nil || attributes != nil || value != nil }

    /// The change with only owner and readers.
    var accessOnly: ItemChange {
        var change = ItemChange()
        (change.owner, change.newReaders, change.formerReaders) = (owner, newReaders, formerReaders)
        return change
    }

    /// Lines about owner and readers for the approval question.
    var accessDetails: [String] {
        let owner =
            switch owner {
            case .nobody: ["Owner: none"]
            case .program(let program): ["Owner: \(program.text)"]
            case nil: [String]()
            }
        return owner + newReaders.map { "May read, change and delete the item without asking: \($0.text)" }
            + formerReaders.map { "hsip asks again about: \($0.text)" }
    }
}
