/// Recognises the columns of a table by its header, and the program that wrote it.
extension PasswordTable {
    /// A header with a password column.
    struct Header {
        let names: [String]
        let columns: [CSVColumn]
        let separator: UInt8

        /// Whether LastPass wrote the table; LastPass writes notes as logins with a special address.
        var isLastPass: Bool {
            Set(["grouping", "extra", "fav"]).isSubset(of: names.map { $0.lowercased() })
        }

        /// The program that writes this header.
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

    static func header(of bytes: DocumentBytes) throws(ImportError) -> Header {
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

    /// The name of a column; it is not decoded in place, because the header is read more than once.
    private static func name(of cell: CSVReader.Cell, _ bytes: DocumentBytes) -> String {
        let name = bytes.name(bytes.trimmed(cell.range)) ?? ""
        guard cell.hasQuotes else { return name }
        return name.split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
    }

    /// The meaning of each column; a second column with the same meaning becomes a field of its own name.
    private static func columns(of names: [String]) -> [CSVColumn] {
        var columns: [CSVColumn] = []
        for name in names {
            let column = CSVColumn(header: name)
            columns.append(column == .ignored || !columns.contains(column) ? column : .field(.named(name)))
        }
        return columns
    }
}

/// The groups in a table of Buttercup: each group is a row with the identifier of its parent group.
struct ButtercupGroups {
    private var groups: [String: (name: String, parent: String?)] = [:]

    /// Records the row of a group; a row without an identifier is ignored.
    mutating func add(_ id: String?, _ name: String?, parent: String?) {
        guard let id, !id.isEmpty else { return }
        groups[id] = (name ?? "", parent)
    }

    /// Replaces the group identifier in an entry's folder by the names of its groups.
    ///
    /// A circular chain of groups ends after `ImportLimits.depth` groups.
    func resolve(_ candidate: inout Candidate) {
        guard let id = candidate.folder.first else { return }
        var (path, next) = ([String](), Optional(id))
        while path.count < ImportLimits.depth, let id = next, let group = groups[id] {
            path.insert(group.name, at: 0)
            next = group.parent
        }
        candidate.folder = path.filter { !$0.isEmpty }
    }
}

/// The meaning of a column of a password table, recognised by its header.
enum CSVColumn: Equatable {
    case title
    case folder
    case tags
    case field(FieldRole)
    /// A time as RFC 3339, or as Unix time in seconds or milliseconds.
    case created, modified
    /// Whether the entry was archived: `true` or `false`.
    case archived
    /// Whether the row is an `entry` or a `group`, in a table of Buttercup.
    case rowKind
    /// The identifier, the name and the parent of the group in a row of Buttercup; an entry names its group.
    case groupID, groupName, groupParent
    /// A column for the exporting program's own use.
    case ignored

    /// Finds the column for a header; an unknown header becomes a field of that name.
    init(header: String) {
        let lower = header.lowercased()
        let buttercup: [String: CSVColumn] = [
            "!type": .rowKind, "!group_id": .groupID, "!group_name": .groupName,
            "!group_parent": .groupParent,
        ]
        if let column = buttercup[lower] {
            self = column
            return
        }
        self =
            switch lower.filter({ $0.isLetter || $0.isNumber }) {
            case "title", "name", "account", "accountname", "entry", "entryname", "item", "itemname", "label",
                "displayname", "nickname":
                .title
            case "group", "folder", "grouping", "category", "path": .folder
            case "tag", "tags", "labels": .tags
            case "password", "pass", "passwd", "loginpassword", "pwd": .field(.password)
            case "username", "user", "login", "loginusername", "loginname", "email", "userid": .field(.user)
            case "url", "uri", "website", "loginuri", "loginurls", "webaddress", "address", "site", "siteurl",
                "origin",
                "hostname", "domain":
                .field(.url)
            case "totp", "otp", "otpauth", "logintotp", "otpurl", "twofactor", "onetimepassword":
                .field(.oneTimePassword)
            case "note", "notes", "comment", "comments", "extra": .field(.note)
            case "archived": .archived
            case "created", "timecreated", "createdat", "creationtime": .created
            case "modified", "lastmodified", "timepasswordchanged", "updatedat", "lastmodificationtime":
                .modified
            case "icon", "guid", "httprealm", "formactionorigin", "timelastused", "fav", "favorite",
                "reprompt", "":
                .ignored
            default: .field(.named(header))
            }
    }

    /// Converts a time of a table to Unix seconds; nil if it is invalid.
    static func time(_ text: String) -> Int64? {
        if let time = Timestamp.rfc3339(text) { return time }
        guard text.utf8.count <= 13, let number = Int64(text), number > 0 else { return nil }
        return number > 99_999_999_999 ? number / 1_000 : number
    }
}
