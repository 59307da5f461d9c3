/// Tables of passwords: those of KeePassXC, of browsers, and any other whose header names its columns.
enum PasswordTable {
    /// A header that was understood.
    struct Header {
        let names: [String]
        let columns: [CSVColumn]
        let separator: UInt8

        /// Which program writes such a header.
        var format: ImportFormat {
            let lower = names.map { $0.lowercased() }
            if lower.starts(with: ["group", "title", "username", "password", "url", "notes"]) {
                return .keepassxcCSV
            }
            if lower.starts(with: ["name", "url", "username", "password"])
                || lower.starts(with: ["url", "username", "password", "httprealm"])
                || lower.starts(with: ["title", "url", "username", "password"])
            {
                return .browserCSV
            }
            return .csv
        }
    }

    private static let separators = [",", ";", "\t"].map { UInt8(ascii: $0) }

    /// Which program made a table.
    ///
    /// - Throws: `noPasswordColumn` for a header that says nothing of passwords.
    static func format(of bytes: DocumentBytes) throws(ImportError) -> ImportFormat {
        try header(of: bytes).format
    }

    /// Reads a table.
    ///
    /// - Throws: `noPasswordColumn`; `malformed` for quotes that do not match.
    static func read(_ bytes: DocumentBytes) throws(ImportError) -> Findings {
        let header = try header(of: bytes)
        var (found, reader) = (Findings(), CSVReader(bytes, separator: header.separator))
        _ = try reader.row(of: bytes)
        while let row = try reader.row(of: bytes) {
            guard row.cells.count == header.columns.count else {
                try found.refuse("", place: row.line, .wrongColumns)
                continue
            }
            try found.take(candidate(row, header, bytes))
        }
        if header.format == .keepassxcCSV { found.dropCommonFolder() }
        return found
    }

    private static func header(of bytes: DocumentBytes) throws(ImportError) -> Header {
        for separator in separators {
            var reader = CSVReader(bytes, separator: separator)
            guard let row = try? reader.row(of: bytes), row.cells.count > 1 else { continue }
            let names = row.cells.map { name(of: $0, bytes) }
            let columns = columns(of: names)
            guard columns.contains(.field(.password)) else { continue }
            return Header(names: names, columns: columns, separator: separator)
        }
        throw .noPasswordColumn
    }

    /// The name of a column; read more than once, so not decoded where it stands.
    private static func name(of cell: CSVReader.Cell, _ bytes: DocumentBytes) -> String {
        let name = bytes.name(bytes.trimmed(cell.range)) ?? ""
        guard cell.hasQuotes else { return name }
        return name.split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
    }

    /// What each column holds: where two say the same, the second one is a field of its own name.
    private static func columns(of names: [String]) -> [CSVColumn] {
        var columns: [CSVColumn] = []
        for name in names {
            let column = CSVColumn(header: name)
            columns.append(column == .ignored || !columns.contains(column) ? column : .field(.named(name)))
        }
        return columns
    }

    private static func candidate(
        _ row: CSVReader.Row,
        _ header: Header,
        _ bytes: DocumentBytes
    ) -> Candidate {
        var candidate = Candidate(.login, "", place: row.line)
        for (cell, column) in zip(row.cells, header.columns) where !cell.range.isEmpty {
            let value = CSVReader.value(of: cell, in: bytes)
            switch column {
            case .title: candidate.title = bytes.text(value) ?? ""
            case .folder: candidate.folder = Self.parts(bytes.text(value), at: "/\\")
            case .tags: candidate.tags = Self.parts(bytes.text(value), at: ",;")
            case .created: candidate.created = bytes.name(value).flatMap { CSVColumn.time($0) }
            case .modified: candidate.modified = bytes.name(value).flatMap { CSVColumn.time($0) }
            case .field(let role):
                candidate.fields.append(CandidateField(role, value, isHidden: Self.isHidden(role)))
            case .ignored: break
            }
        }
        if candidate.title.isEmpty, let url = candidate[.url] {
            candidate.title = HostName.of(bytes.text(url.value) ?? "")
        }
        if candidate[.password] == nil, candidate[.user] == nil, candidate[.url] == nil {
            candidate.kind = .note
        }
        return candidate
    }

    private static func isHidden(_ role: FieldRole) -> Bool {
        switch role {
        case .password, .oneTimePassword, .note, .named: true
        case .user, .url: false
        }
    }

    static func parts(_ text: String?, at separators: String) -> [String] {
        (text ?? "").split(whereSeparator: { separators.contains($0) })
            .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }
}
