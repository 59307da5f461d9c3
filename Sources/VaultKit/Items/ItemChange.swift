package import Secrets
package import VaultCrypto
package import VaultPolicy

/// A change of items; nil keeps a part as it is.
package struct ItemChange: Sendable, Codable {
    /// The most items of one call.
    package static let maximum = 10_000

    /// Another label.
    package var label: String?
    /// The attributes that replace all attributes of the item.
    package var attributes: ItemAttributes?
    /// Another value; of one item only.
    package var value: Secret?
    /// The content type of that value; nil for `text/plain`.
    package var contentType: String?
    /// Another end, Unix seconds, 0 for none; for hsip alone.
    package var expires: UInt64?
    /// Another owner; for hsip alone.
    package var owner: Owner?
    /// Programs that may have it from now on without a question; for hsip alone.
    package var newReaders: [ProgramIdentity] = []
    /// Programs that are asked about again; for hsip alone.
    package var formerReaders: [ProgramIdentity] = []

    /// Whose an item is.
    package enum Owner: Hashable, Sendable, Codable {
        /// Nobody's.
        case nobody
        /// A program's.
        case program(ProgramIdentity)
    }

    /// No change yet.
    package init() {}

    /// Whether it says who may have the item, or how long it is of use: that is for hsip alone.
    var isForPeople: Bool { expires != nil || decidesLater }

    /// Whether it says who may have the item without a question.
    var decidesLater: Bool { owner != nil || !newReaders.isEmpty || !formerReaders.isEmpty }

    /// Whether an item may have more bytes by it.
    var addsBytes: Bool { label != nil || attributes != nil || value != nil }

    /// Only that.
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
