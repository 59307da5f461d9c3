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
