internal import Text

/// Reads the file `export.data` of 1Password's own format (1PUX): items of every category, with their sections.
///
/// Files that belong to items are stored beside it in the ZIP file, so only their names are known here.
enum OnePassword {
    /// Reads an export.
    ///
    /// - Throws: `unknownFormat` for other JSON, also if a single account or vault in it is invalid; `tooLarge`.
    static func read(_ root: JSONPlace, _ bytes: DocumentBytes) throws(ImportError) -> Findings {
        guard case .list(let accounts) = root.member("accounts", bytes) else { throw .unknownFormat }
        var vaults: [JSONPlace] = []
        for account in accounts {
            guard case .list(let own) = account.member("vaults", bytes) else { throw .unknownFormat }
            vaults += own
        }
        var found = Findings()
        var place = 0
        for vault in vaults {
            guard case .list(let items) = vault.member("items", bytes) else { throw .unknownFormat }
            let name = text(vault.member("attrs", bytes).member("name", bytes), bytes)
            for wrapped in items {
                place += 1
                // Early exports wrap each item in an object that also describes its file.
                let inner = wrapped.member("item", bytes)
                let item = inner.isNull ? wrapped : inner
                let title = text(item.member("overview", bytes).member("title", bytes), bytes)
                guard item.member("overview", bytes).isObject || item.member("details", bytes).isObject
                else {
                    try found.refuse(title, place: place, .unknownKind)
                    continue
                }
                if let reason = refusal(item, bytes) {
                    try found.refuse(title, place: place, reason)
                    continue
                }
                var candidate = candidate(item, title, place: place, bytes)
                if !name.isEmpty { candidate.folder = [name] }
                try found.take(candidate)
            }
        }
        found.dropCommonFolder()
        return found
    }

    private static func refusal(_ item: JSONPlace, _ bytes: DocumentBytes) -> RefusedEntry.Reason? {
        guard !item.member("trashed", bytes).isTrue else { return .inTrash }
        switch text(item.member("state", bytes), bytes) {
        case "", "active": return nil
        case "archived": return .archived
        default: return .inTrash
        }
    }

    private static func candidate(
        _ item: JSONPlace,
        _ title: String,
        place: Int,
        _ bytes: DocumentBytes
    ) -> Candidate {
        var candidate = Candidate(.note, title, place: place)
        let (details, overview) = (item.member("details", bytes), item.member("overview", bytes))
        addLogin(details, to: &candidate, bytes)
        for address in overview.member("urls", bytes).items {
            if let url = address.member("url", bytes).text { candidate.add(address: url) }
        }
        if candidate[.url] == nil, let url = overview.member("url", bytes).text {
            candidate.add(address: url)
        }
        if candidate[.password] != nil || candidate[.user] != nil || candidate[.url] != nil {
            candidate.kind = .login
        }
        for section in details.member("sections", bytes).items {
            for field in section.member("fields", bytes).items { add(field, to: &candidate, bytes) }
        }
        candidate.add(details.member("notesPlain", bytes), as: .note, isHidden: true)
        let document = details.member("documentAttributes", bytes)
        if !document.isNull { candidate.leave(attachment: text(document.member("fileName", bytes), bytes)) }
        if !details.member("passwordHistory", bytes).items.isEmpty { candidate.leave(.history) }
        if !details.member("passkey", bytes).isNull { candidate.leave(.passkey) }
        candidate.tags = overview.member("tags", bytes).items.map { text($0, bytes) }.filter { !$0.isEmpty }
        candidate.created = item.member("createdAt", bytes).time(bytes)
        candidate.modified = item.member("updatedAt", bytes).time(bytes)
        return candidate
    }

    private static func addLogin(_ details: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes)
    {
        for field in details.member("loginFields", bytes).items {
            let role: FieldRole
            switch text(field.member("designation", bytes), bytes) {
            case "username" where candidate[.user] == nil: role = .user
            case "password" where candidate[.password] == nil: role = .password
            default:
                let names = [field.member("name", bytes), field.member("id", bytes)].map { text($0, bytes) }
                role = .named(names.first { !$0.isEmpty } ?? "field")
            }
            candidate.add(field.member("value", bytes), as: role, isHidden: role != .user)
        }
        if candidate[.password] == nil {
            candidate.add(details.member("password", bytes), as: .password, isHidden: true)
        }
    }

    /// Adds a field of a section; its value is an object with one member, whose name is the type of the value.
    private static func add(_ field: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes) {
        let names = [field.member("title", bytes), field.member("id", bytes)].map { text($0, bytes) }
        let name = names.first { !$0.isEmpty } ?? "field"
        guard case .object(let members) = field.member("value", bytes) else {
            candidate.add(field.member("value", bytes), as: .named(name), isHidden: true)
            return
        }
        for member in members {
            switch (bytes.name(member.name) ?? "", member.value) {
            case ("totp", let value):
                let role: FieldRole = candidate[.oneTimePassword] == nil ? .oneTimePassword : .named(name)
                candidate.add(value, as: role, isHidden: true)
            case ("email", .object):
                candidate.add(member.value.member("email_address", bytes), as: .named(name), isHidden: false)
            case ("file", let file): candidate.leave(attachment: text(file.member("fileName", bytes), bytes))
            case ("sshKey", let key):
                candidate.kind = .key
                candidate.add(key.member("privateKey", bytes), as: .named("privateKey"), isHidden: true)
                let half = key.member("metadata", bytes).member("publicKey", bytes)
                candidate.add(half, as: .named("publicKey"), isHidden: false)
            case (_, .object): candidate.add(member.value, under: name, bytes)
            case (let kind, let value):
                candidate.add(value, as: .named(name), isHidden: kind == "concealed")
            }
        }
    }

    private static func text(_ node: JSONPlace, _ bytes: DocumentBytes) -> String {
        node.text.flatMap { bytes.name($0) } ?? ""
    }
}
