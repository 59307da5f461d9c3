/// A column of a table.
package struct Column: Equatable, Sendable {
    /// The heading, printed in upper case.
    package let title: String
    package let alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .left) {
        self.title = title
        self.alignment = alignment
    }
}
