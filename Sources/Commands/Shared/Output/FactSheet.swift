package import Presentation
internal import SecretServiceStore
internal import System
internal import Text
package import VaultLifecycle

/// The facts that a command prints about one thing: `Title  value` for people, `title<TAB>value…` for scripts.
package struct FactSheet {
    private var facts: [(title: String, cells: [Cell])] = []

    package init() {}

    /// Adds a line; several cells are columns for scripts, and have two blanks between them for people.
    package mutating func add(_ title: String, _ cells: Cell...) {
        add(title, cells: cells)
    }

    /// Adds a fact with a list of cells.
    package mutating func add(_ title: String, cells: [Cell]) {
        facts.append((title, cells))
    }

    /// Adds a line with plain text.
    package mutating func add(_ title: String, _ text: String) {
        add(title, Cell(text))
    }

    /// The lines for a terminal with `width` columns; text that does not fit continues below, under the values.
    func rendered(_ style: Style, width: Int) -> [String] {
        let titles = facts.map(\.title.count).max() ?? 0
        return facts.flatMap { fact in
            let gap = String(repeating: " ", count: titles + 2 - fact.title.count)
            let cells = fact.cells.filter { !$0.shown.isEmpty }.map { style.paint($0.shown, $0.tone) }
            return LineWrap.lines(
                fact.title + gap + cells.joined(separator: "  "),
                to: width,
                indent: titles + 2
            )
        }
    }

    /// The lines for scripts; the first word of a line never changes.
    func separated() -> [String] {
        facts.map { fact in
            ([Self.key(fact.title)] + fact.cells.map(\.value)).map { Table.escaped($0) }
                .joined(separator: "\t")
        }
    }

    private static func key(_ title: String) -> String {
        title.lowercased().split(separator: " ").joined(separator: "-")
    }
}

extension Output {
    /// Prints a sheet, except with `--json`.
    package func facts(_ sheet: FactSheet) throws(ConsoleError) {
        let lines =
            console.outputIsTerminal
            ? sheet.rendered(style, width: console.window.columns) : sheet.separated()
        for text in lines { try line(text) }
    }
}

extension Context {
    /// Prints a list; an empty list is noted at a terminal, with a hint everywhere about how to fill it.
    package func list(_ table: Table, empty: String, hint: String? = nil) throws {
        try output.table(table)
        guard table.rows.isEmpty else { return }
        if console.outputIsTerminal { output.note(empty) }
        if let hint { output.hint(hint) }
    }

    /// Adds the line about where an open vault is.
    package func addVault(_ store: OpenedStore, _ place: VaultPlace, to sheet: inout FactSheet) {
        switch store {
        case .file: addVault(place, to: &sheet)
        case .keyring(let store):
            addVault(in: store.collection.path, store.collection.label, to: &sheet)
        }
    }

    /// Adds the line about where a vault file is.
    package func addVault(_ place: VaultPlace, to sheet: inout FactSheet) {
        sheet.add("Vault", path(place.file), Cell("encrypted file", value: Backend.file.word))
    }

    /// Adds the line about the keyring that a vault is in; scripts get the D-Bus path of the collection.
    package func addVault(in collection: String, _ label: String, to sheet: inout FactSheet) {
        sheet.add(
            "Vault",
            Cell(output.display.cell(label.isEmpty ? collection : label), value: collection),
            Cell("keyring", value: Backend.secretService.word)
        )
    }

    /// A path as people read it, with `~` for their home folder; scripts get the whole path.
    package func path(_ path: String) -> Cell {
        guard let home = environment["HOME"], home != "/", path.hasPrefix(home + "/") else {
            return Cell(output.display.text(path), value: path)
        }
        return Cell("~" + output.display.text(String(path.dropFirst(home.count))), value: path)
    }

    /// A file of an import as people read it; `-` is standard input.
    package func shown(file path: String) -> String {
        path == "-" ? "standard input" : self.path(path).shown
    }
}
