/// Reads tables of passwords: from KeePassXC, from browsers, and any other table whose header names its columns.
enum PasswordTable {
    /// The program that made a table.
    ///
    /// - Throws: `noPasswordColumn` for a header without a column of passwords.
    static func format(of bytes: DocumentBytes) throws(ImportError) -> ImportFormat {
        try header(of: bytes).format
    }

    /// Reads a table.
    ///
    /// - Throws: `noPasswordColumn`; `malformed` for a quoted value with a wrong end; `tooLarge`.
    static func read(_ bytes: DocumentBytes) throws(ImportError) -> Findings {
        let header = try header(of: bytes)
        var (found, reader) = (Findings(), CSVReader(bytes, separator: header.separator))
        var groups = ButtercupGroups()
        _ = try reader.row(of: bytes)
        while let row = try reader.row(of: bytes) {
            if let kind = cell(of: .rowKind, row, header), bytes.name(kind.range) == "group" {
                let texts = [CSVColumn.groupID, .groupName, .groupParent].map { column in
                    cell(of: column, row, header).flatMap { bytes.name(CSVReader.value(of: $0, in: bytes)) }
                }
                groups.add(texts[0], texts[1], parent: texts[2])
                continue
            }
            let candidate = candidate(row, header, bytes)
            if let reason = refusal(row, candidate, header, bytes) {
                try found.refuse(candidate.title, place: row.line, reason)
            } else {
                try found.take(candidate)
            }
        }
        if header.columns.contains(.rowKind) { found.eachCandidate { groups.resolve(&$0) } }
        if header.format == .keepassxcCSV { found.dropCommonFolder() }
        return found
    }

    /// The names of KeePassXC's recycle bin, directly below the outermost group; a table does not mark that group.
    private static let recycleBins: Set<String> = [
        "Recycle Bin", "Papierkorb", "Corbeille", "Papelera de reciclaje", "Papelera", "Cestino",
        "Prullenbak",
        "Lixeira", "Reciclagem", "Kosz", "Koš", "Papperskorg", "Papirkurv", "Roskakori", "Корзина", "Кошик",
        "ごみ箱", "ゴミ箱", "回收站", "回收桶", "휴지통",
    ]

    private static func refusal(
        _ row: CSVReader.Row,
        _ candidate: Candidate,
        _ header: Header,
        _ bytes: DocumentBytes
    ) -> RefusedEntry.Reason? {
        if header.format == .keepassxcCSV, candidate.folder.count > 1,
            recycleBins.contains(candidate.folder[1])
        {
            return .inTrash
        }
        let mark = cell(of: .archived, row, header).flatMap { bytes.name($0.range)?.lowercased() }
        return mark == "true" ? .archived : nil
    }

    /// The cell of a row in the column of this meaning; nil if there is no such cell.
    private static func cell(of column: CSVColumn, _ row: CSVReader.Row, _ header: Header) -> CSVReader.Cell?
    {
        guard let place = header.columns.firstIndex(of: column), row.cells.indices.contains(place) else {
            return nil
        }
        return row.cells[place]
    }

    private static func candidate(
        _ row: CSVReader.Row,
        _ header: Header,
        _ bytes: DocumentBytes
    ) -> Candidate {
        var candidate = Candidate(.login, "", place: row.line)
        // A short row is valid, because some programs omit the empty values at its end.
        for (number, cell) in row.cells.enumerated() where !cell.range.isEmpty {
            guard header.columns.indices.contains(number) else {
                let value = CSVReader.value(of: cell, in: bytes)
                candidate.fields.append(CandidateField(.named("column \(number + 1)"), value, isHidden: true))
                candidate.leave(.columns)
                continue
            }
            let column = header.columns[number]
            let value = CSVReader.value(of: cell, in: bytes)
            switch column {
            case .title: candidate.title = bytes.text(value) ?? ""
            case .folder: candidate.folder = Self.parts(bytes.text(value), at: "/\\")
            case .tags: candidate.tags = Self.parts(bytes.text(value), at: ",;")
            case .created: candidate.created = bytes.name(value).flatMap { CSVColumn.time($0) }
            case .modified: candidate.modified = bytes.name(value).flatMap { CSVColumn.time($0) }
            case .field(.url):
                for address in addresses(in: value, bytes) { candidate.add(address: address) }
            case .field(let role):
                candidate.fields.append(CandidateField(role, value, isHidden: Self.isHidden(role)))
            case .groupID where header.columns.contains(.rowKind):
                candidate.folder = [bytes.name(value) ?? ""]
            case .groupName where !header.columns.contains(.rowKind):
                candidate.folder = Self.parts(bytes.text(value), at: "/")
            case .groupID, .groupName, .groupParent, .rowKind, .archived, .ignored: break
            }
        }
        if header.isLastPass, let url = candidate[.url], bytes.text(url.value) == "http://sn" {
            candidate.fields.removeAll { $0.role == .url }
            candidate.kind = .note
        }
        if header.format == .keepassxcCSV,
            candidate.fields.contains(where: { KeePassReference.isIn($0.value, bytes) })
        {
            candidate.leave(.reference)
        }
        if candidate.title.isEmpty, let url = candidate[.url] {
            candidate.title = HostName.of(bytes.text(url.value) ?? "")
        }
        if candidate[.password] == nil, candidate[.user] == nil, candidate[.url] == nil {
            candidate.kind = .note
        }
        return candidate
    }

    /// The addresses in one cell, separated by line feeds, or by commas if each has a scheme.
    private static func addresses(in cell: Range<Int>, _ bytes: DocumentBytes) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = cell.lowerBound
        for place in cell {
            let isEnd =
                bytes[place] == 0x0A
                || bytes[place] == UInt8(ascii: ",") && hasScheme(place + 1..<cell.upperBound, bytes)
            guard isEnd else { continue }
            parts.append(bytes.trimmed(start..<place))
            start = place + 1
        }
        parts.append(parts.isEmpty ? cell : bytes.trimmed(start..<cell.upperBound))
        return parts.filter { !$0.isEmpty }
    }

    /// Whether a range begins with blanks, letters and `://`.
    private static func hasScheme(_ range: Range<Int>, _ bytes: DocumentBytes) -> Bool {
        let rest = bytes.trimmed(range)
        guard let colon = rest.prefix(32).first(where: { bytes[$0] == UInt8(ascii: ":") }),
            colon > rest.lowerBound, colon + 3 <= rest.upperBound, bytes.has("://", at: colon)
        else { return false }
        return (rest.lowerBound..<colon).allSatisfy { (0x61...0x7A).contains(bytes[$0] | 0x20) }
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
