/// The header of a table: which columns it has, and which program writes such a one.
extension PasswordTable {
    /// A header that was understood.
    struct Header {
        let names: [String]
        let columns: [CSVColumn]
        let separator: UInt8

        /// LastPass, which writes its notes as logins at an address of their own.
        var isLastPass: Bool {
            Set(["grouping", "extra", "fav"]).isSubset(of: names.map { $0.lowercased() })
        }

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
}

/// The groups of a table of Buttercup, which are rows of their own, each with the identifier of the group around it.
struct ButtercupGroups {
    private var groups: [String: (name: String, parent: String?)] = [:]

    /// Notes a row that is a group; one without an identifier says nothing.
    mutating func add(_ id: String?, _ name: String?, parent: String?) {
        guard let id, !id.isEmpty else { return }
        groups[id] = (name ?? "", parent)
    }

    /// Puts the names of its groups in the place of the identifier that an entry has as its folder.
    ///
    /// A chain of groups that leads back into itself ends after `ImportLimits.depth` of them.
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
    /// RFC 3339, or seconds or milliseconds of Unix time.
    case created, modified
    /// Whether it was put aside: `true` or `false`.
    case archived
    /// Whether the row is an `entry` or a `group`, as Buttercup writes.
    case rowKind
    /// The identifier, the name and the parent of the group that a row of Buttercup is, or is in.
    case groupID, groupName, groupParent
    /// A column for the exporting program's own use.
    case ignored

    /// The column of a header; an unknown header becomes a field of that name.
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

    /// A time of a table in seconds of Unix time.
    static func time(_ text: String) -> Int64? {
        if let time = Timestamp.rfc3339(text) { return time }
        guard text.utf8.count <= 13, let number = Int64(text), number > 0 else { return nil }
        return number > 99_999_999_999 ? number / 1_000 : number
    }
}
