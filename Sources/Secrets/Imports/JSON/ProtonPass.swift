internal import Text

/// Reads the unencrypted file `data.json` of Proton Pass: vaults with logins, notes, cards, identities and SSH keys.
///
/// Attached files are stored beside it in the ZIP file, so only their existence is known here.
enum ProtonPass {
    private static let hidden: Set<String> = [
        "number", "verificationNumber", "pin", "password", "privateKey", "socialSecurityNumber",
        "passportNumber", "licenseNumber",
    ]

    /// Reads an export.
    ///
    /// - Throws: `encrypted`; `unknownFormat` for other JSON, also if a single vault in it is invalid; `tooLarge`.
    static func read(_ root: JSONPlace, _ bytes: DocumentBytes) throws(ImportError) -> Findings {
        guard !root.member("encrypted", bytes).isTrue else { throw .encrypted }
        guard case .object(let vaults) = root.member("vaults", bytes) else { throw .unknownFormat }
        var found = Findings()
        var place = 0
        for vault in vaults.map(\.value) {
            guard case .list(let items) = vault.member("items", bytes) else { throw .unknownFormat }
            let name = text(vault.member("name", bytes), bytes)
            for item in items {
                place += 1
                let data = item.member("data", bytes)
                let title = text(data.member("metadata", bytes).member("name", bytes), bytes)
                guard data.member("metadata", bytes).isObject else {
                    try found.refuse(title, place: place, .unknownKind)
                    continue
                }
                // State 1 means in use, and 2 in the trash.
                guard item.member("state", bytes).count(bytes) ?? 1 == 1 else {
                    try found.refuse(title, place: place, .inTrash)
                    continue
                }
                var candidate = candidate(item, data, title, place: place, bytes)
                if !name.isEmpty { candidate.folder = [name] }
                try found.take(candidate)
            }
        }
        found.dropCommonFolder()
        return found
    }

    private static func candidate(
        _ item: JSONPlace,
        _ data: JSONPlace,
        _ title: String,
        place: Int,
        _ bytes: DocumentBytes
    ) -> Candidate {
        var candidate = Candidate(.note, title, place: place)
        let content = data.member("content", bytes)
        switch text(data.member("type", bytes), bytes) {
        case "login":
            candidate.kind = .login
            addLogin(content, to: &candidate, bytes)
        case "alias": candidate.add(item.member("aliasEmail", bytes), as: .named("alias"), isHidden: false)
        case "sshKey":
            candidate.kind = .key
            candidate.add(content, hidden: hidden, bytes)
        default: candidate.add(content, hidden: hidden, bytes)
        }
        addLists(of: content, to: &candidate, bytes)
        for field in data.member("extraFields", bytes).items { addOwn(field, to: &candidate, bytes) }
        candidate.add(data.member("metadata", bytes).member("note", bytes), as: .note, isHidden: true)
        for file in item.member("files", bytes).items { candidate.leave(attachment: text(file, bytes)) }
        candidate.created = item.member("createTime", bytes).time(bytes)
        candidate.modified = item.member("modifyTime", bytes).time(bytes)
        return candidate
    }

    private static func addLogin(_ content: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes)
    {
        for name: StaticString in ["itemUsername", "username", "itemEmail"] {
            let role: FieldRole = candidate[.user] == nil ? .user : .named("email")
            candidate.add(content.member(name, bytes), as: role, isHidden: false)
        }
        candidate.add(content.member("password", bytes), as: .password, isHidden: true)
        candidate.add(content.member("totpUri", bytes), as: .oneTimePassword, isHidden: true)
        // Newer exports have every address in the first list, and repeat the addresses of one mode in the second.
        let urls = content.member("autofillUrls", bytes).items.map { $0.member("url", bytes) }
        var known: [Range<Int>] = []
        for url in (urls + content.member("urls", bytes).items).compactMap(\.text) {
            guard known.count <= ImportLimits.fields else { break }
            guard !known.contains(where: { bytes.areEqual($0, url) }) else { continue }
            known.append(url)
            candidate.add(address: url)
        }
        if !content.member("passkeys", bytes).items.isEmpty { candidate.leave(.passkey) }
    }

    /// Adds custom fields and sections of any name from the content of a card, an identity or a key.
    private static func addLists(of content: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes)
    {
        guard case .object(let members) = content else { return }
        for entry in members.flatMap(\.value.items) {
            addOwn(entry, to: &candidate, bytes)
            for field in entry.member("sectionFields", bytes).items { addOwn(field, to: &candidate, bytes) }
        }
    }

    private static func addOwn(_ field: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes) {
        let data = field.member("data", bytes)
        guard !data.isNull else { return }
        let given = text(field.member("fieldName", bytes), bytes)
        let name = given.isEmpty ? "field" : given
        let isHidden = text(field.member("type", bytes), bytes) == "hidden"
        candidate.add(data.member("content", bytes), as: .named(name), isHidden: isHidden)
        candidate.add(data.member("timestamp", bytes), as: .named(name), isHidden: isHidden)
        let isFirst = candidate[.oneTimePassword] == nil
        let role: FieldRole = isFirst ? .oneTimePassword : .named(name)
        candidate.add(data.member("totpUri", bytes), as: role, isHidden: true)
    }

    private static func text(_ node: JSONPlace, _ bytes: DocumentBytes) -> String {
        node.text.flatMap { bytes.name($0) } ?? ""
    }
}
