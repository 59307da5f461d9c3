internal import ArgumentParser
internal import Presentation
internal import VaultKit

/// Which items are meant, by what they say of themselves; all of the conditions count that are given.
struct ItemConditions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Items with this owner; none for items without an owner.", valueName: "program")
    )
    var program: String?

    @Option(help: ArgumentHelp("Items in this collection.", valueName: "id"))
    var collection: String?

    @Option(help: ArgumentHelp("Items of this schema.", valueName: "name"))
    var schema: String?

    /// Whether there is none.
    var isEmpty: Bool { program == nil && collection == nil && schema == nil }

    /// Whether an item fulfils all of them.
    ///
    /// - Throws: `badIdentity` for what is no program.
    func test() throws(Failure) -> (ItemView) -> Bool {
        let owner: ItemChange.Owner? = if let program { try ItemWords.owner(program) } else { nil }
        return { item in
            if let owner, owner != ItemWords.owner(of: item) { return false }
            if let collection, item.place.collection != collection { return false }
            return schema.map { item.schema == $0 } ?? true
        }
    }
}
