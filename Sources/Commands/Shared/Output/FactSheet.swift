package import Presentation
internal import SecretServiceStore
internal import System
internal import Text
package import VaultLifecycle

/// What a command has to say about one thing: `Title  value` lines for people, `title<TAB>value…` for scripts.
package struct FactSheet {
    private var facts: [(title: String, cells: [Cell])] = []

    package init() {}

    /// Adds a line; several cells are columns for scripts and stand two blanks apart for people.
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

    /// For a terminal of so many columns: what does not fit goes on below, under the values.
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

    /// For scripts; the first word of a line never changes.
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
    /// Prints a sheet; nothing with `--json`.
    package func facts(_ sheet: FactSheet) throws(ConsoleError) {
        let lines =
            console.outputIsTerminal
            ? sheet.rendered(style, width: console.window.columns) : sheet.separated()
        for text in lines { try line(text) }
    }
}

extension Context {
    /// A list; at a terminal an empty one says that it is empty, and everywhere what fills it.
    package func list(_ table: Table, empty: String, hint: String? = nil) throws {
        try output.table(table)
        guard table.rows.isEmpty else { return }
        if console.outputIsTerminal { output.note(empty) }
        if let hint { output.hint(hint) }
    }

    /// The line that tells where an open vault is.
    package func addVault(_ store: OpenedStore, _ place: VaultPlace, to sheet: inout FactSheet) {
        switch store {
        case .file: addVault(place, to: &sheet)
        case .keyring(let store):
            addVault(in: store.collection.path, store.collection.label, to: &sheet)
        }
    }

    /// The line that tells where a vault file is.
    package func addVault(_ place: VaultPlace, to sheet: inout FactSheet) {
        sheet.add("Vault", path(place.file), Cell("encrypted file", value: Backend.file.word))
    }

    /// The line that tells in which keyring a vault is; scripts get the D-Bus path of the collection.
    package func addVault(in collection: String, _ label: String, to sheet: inout FactSheet) {
        sheet.add(
            "Vault",
            Cell(output.display.cell(label.isEmpty ? collection : label), value: collection),
            Cell("keyring", value: Backend.secretService.word)
        )
    }

    /// A path as people read it: `~` for their own folder; scripts get the whole.
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
