/// A column of a table.
package struct Column: Equatable, Sendable {
    /// What happens to its cells where the window is too narrow for the row.
    package enum Fit: Equatable, Sendable {
        /// Nothing: names, commands, and whatever else is typed or compared.
        case whole
        /// They are cut in the middle, down to eight columns.
        case cut
        /// They go on in the next line.
        case wrapped
    }

    /// The heading, printed in upper case.
    package let title: String
    package let alignment: Alignment
    package let fit: Fit
    /// Which columns are left out of a narrow window: those with the highest number first, those with 0 never.
    package let spare: Int

    package init(_ title: String, _ alignment: Alignment = .left, _ fit: Fit = .cut, spare: Int = 0) {
        self.title = title
        self.alignment = alignment
        self.fit = fit
        self.spare = spare
    }
}

/// On which side of its column a cell stands.
package enum Alignment: Sendable {
    case left
    case right
}
