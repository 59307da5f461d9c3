internal import Text

/// Reads Bitwarden's unencrypted export (JSON): logins, notes, cards, identities and SSH keys, with custom fields.
///
/// Only Bitwarden itself can read an export that it encrypted (`"encrypted": true`).
enum Bitwarden {
    /// Reads an export.
    ///
    /// - Throws: `encrypted`; `malformed`; `unknownFormat` for other JSON; `tooLarge` for too many entries.
    static func read(_ root: JSONPlace, _ bytes: DocumentBytes) throws(ImportError) -> Findings {
        guard !root.member("encrypted", bytes).isTrue, !root.member("passwordProtected", bytes).isTrue else {
            throw .encrypted
        }
        guard case .list(let items) = root.member("items", bytes),
            items.isEmpty || items.contains(where: { $0.member("type", bytes).number != nil })
        else { throw .unknownFormat }
        let folders = folders(of: root, bytes)
        var found = Findings()
        for (index, item) in items.enumerated() {
            let title = item.member("name", bytes).text.flatMap { bytes.text($0) } ?? ""
            guard item.member("deletedDate", bytes).isNull else {
                try found.refuse(title, place: index + 1, .inTrash)
                continue
            }
            guard item.member("archivedDate", bytes).isNull else {
                try found.refuse(title, place: index + 1, .archived)
                continue
            }
            guard var candidate = candidate(item, title, place: index + 1, bytes) else {
                try found.refuse(title, place: index + 1, .unknownKind)
                continue
            }
            candidate.folder = folder(of: item, folders, bytes)
            try found.take(candidate)
        }
        return found
    }

    /// The names of folders, and of an organisation's collections, by their ids.
    private static func folders(of root: JSONPlace, _ bytes: DocumentBytes) -> [String: String] {
        let lists = root.member("folders", bytes).items + root.member("collections", bytes).items
        var names: [String: String] = [:]
        for folder in lists {
            guard let id = folder.member("id", bytes).text, let name = folder.member("name", bytes).text,
                let key = bytes.name(id)
            else { continue }
            names[key] = bytes.name(name)
        }
        return names
    }

    private static func folder(
        of item: JSONPlace,
        _ names: [String: String],
        _ bytes: DocumentBytes
    ) -> [String] {
        let id = item.member("folderId", bytes).text ?? item.member("collectionIds", bytes).items.first?.text
        guard let id, let key = bytes.name(id), let name = names[key] else { return [] }
        return PasswordTable.parts(name, at: "/")
    }

    private static func candidate(
        _ item: JSONPlace,
        _ title: String,
        place: Int,
        _ bytes: DocumentBytes
    ) -> Candidate? {
        let kinds: [Candidate.Kind] = [.login, .note, .card, .identity, .key]
        guard let type = item.member("type", bytes).count(bytes), kinds.indices.contains(type - 1) else {
            return nil
        }
        var candidate = Candidate(kinds[type - 1], title, place: place)
        switch candidate.kind {
        case .login: addLogin(item.member("login", bytes), to: &candidate, bytes)
        case .note: break
        case .card: candidate.add(item.member("card", bytes), hidden: ["number", "code"], bytes)
        case .identity:
            candidate.add(
                item.member("identity", bytes),
                hidden: ["ssn", "passportNumber", "licenseNumber"],
                bytes
            )
        case .key: candidate.add(item.member("sshKey", bytes), hidden: ["privateKey"], bytes)
        }
        candidate.add(item.member("notes", bytes), as: .note, isHidden: true)
        for field in item.member("fields", bytes).items { addOwn(field, to: &candidate, bytes) }
        if !item.member("passwordHistory", bytes).items.isEmpty { candidate.leave(.history) }
        for file in item.member("attachments", bytes).items {
            candidate.leave(attachment: file.member("fileName", bytes).text.flatMap { bytes.name($0) } ?? "")
        }
        candidate.created = time(item.member("creationDate", bytes), bytes)
        candidate.modified = time(item.member("revisionDate", bytes), bytes)
        return candidate
    }

    private static func addLogin(_ login: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes) {
        candidate.add(login.member("username", bytes), as: .user, isHidden: false)
        candidate.add(login.member("password", bytes), as: .password, isHidden: true)
        candidate.add(login.member("totp", bytes), as: .oneTimePassword, isHidden: true)
        for address in login.member("uris", bytes).items {
            if let uri = address.member("uri", bytes).text { candidate.add(address: uri) }
        }
        if !login.member("fido2Credentials", bytes).items.isEmpty { candidate.leave(.passkey) }
    }

    /// Adds a custom field; type 1 is hidden, and type 3 only points to another field.
    private static func addOwn(_ field: JSONPlace, to candidate: inout Candidate, _ bytes: DocumentBytes) {
        let name = field.member("name", bytes).text.flatMap { bytes.name($0) } ?? "field"
        let isHidden = field.member("type", bytes).count(bytes) == 1
        candidate.add(field.member("value", bytes), as: .named(name), isHidden: isHidden)
    }

    private static func time(_ node: JSONPlace, _ bytes: DocumentBytes) -> Int64? {
        node.text.flatMap { bytes.name($0) }.flatMap { Timestamp.rfc3339($0) }
    }
}
