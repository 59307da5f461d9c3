/// What an item says besides its secret.
package struct ItemFacts: Equatable, Sendable {
    /// Where it is.
    package let path: ItemPath
    /// Its name for people.
    package let label: String
    /// Its attributes; a provider may have added some of its own.
    package let attributes: [String: String]
    /// When it was made, in seconds of Unix time, as the provider says.
    package let created: UInt64
    /// When it was changed last, in seconds of Unix time, as the provider says.
    package let modified: UInt64

    package init(
        path: ItemPath,
        label: String,
        attributes: [String: String],
        created: UInt64,
        modified: UInt64
    ) {
        self.path = path
        self.label = label
        self.attributes = attributes
        self.created = created
        self.modified = modified
    }
}
