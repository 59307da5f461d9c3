package import Secrets
package import VaultPolicy

/// Everything about an item but its value.
package struct ItemView: Hashable, Sendable, Codable {
    /// Where it is.
    package let place: ItemPlace
    /// What its program calls it.
    package let label: String
    /// By what its program finds it.
    package let attributes: ItemAttributes
    /// The content type of the value; nil for `text/plain`.
    package let contentType: String?
    /// When it was made, Unix seconds.
    package let created: UInt64
    /// When its value, its label or its attributes were last changed, Unix seconds.
    package let modified: UInt64
    /// Whether the program may have it without a question; true for hsip itself.
    package let isOpen: Bool
    /// What only hsip itself is told; nil for a program on the bus.
    package let details: Details?

    /// What a program on the bus is not told.
    package struct Details: Hashable, Sendable, Codable {
        /// The program that made it; nil for nobody.
        package let owner: ProgramIdentity?
        /// Programs that a person let have it for good.
        package let readers: [ProgramIdentity]
        /// The program that wrote the present value; nil where that is not known.
        package let writer: ProgramIdentity?
        /// When it ceases to be of use, Unix seconds; nil for never.
        package let expires: UInt64?
        /// When it was put into the trash, Unix seconds; nil while it is not there.
        package let removedAt: UInt64?
    }
}
