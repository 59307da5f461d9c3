package import Console

extension Context {
    /// A list; at a terminal an empty one says that it is empty.
    package func list(_ table: Table, empty: String) throws {
        try output.table(table)
        if table.rows.isEmpty, console.outputIsTerminal { output.note(empty) }
    }
}
