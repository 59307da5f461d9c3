/// Columns and rows of a terminal window.
package struct WindowSize: Equatable, Sendable, CustomStringConvertible {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// True if a picture of the other size fits in the window.
    package func holds(_ other: WindowSize) -> Bool {
        other.columns <= columns && other.rows <= rows
    }

    package var description: String { "\(columns)×\(rows)" }
}
