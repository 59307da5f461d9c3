internal import RecordStore
internal import Secrets
internal import Text
internal import VaultCrypto

/// Makes the vault's credential from an entry of another program: every value under a name, its bytes unchanged.
struct CandidateCredential {
    /// The programs that entries come from, as people read them.
    static let origins: [ImportFormat: String] = [
        .kdbxXML: "KeePass", .keepassxcCSV: "KeePassXC", .bitwarden: "Bitwarden", .onePassword: "1Password",
        .protonPass: "Proton Pass", .browserCSV: "browser", .csv: "CSV", .pass: "pass",
        .secretService: "Secret Service",
    ]

    let document: ImportDocument
    /// Unix seconds.
    let now: UInt64

    /// The credential for an entry.
    ///
    /// Tags that the vault does not accept are left out: they are words, not values.
    ///
    /// - Throws: `CredentialError` for a part over the limits.
    func make(_ candidate: Candidate) throws -> Credential {
        let kind: CredentialKind = candidate.kind == .login ? .login : .note
        var fields: [CredentialField] = []
        var names: Set<String> = []
        for field in candidate.fields {
            let wanted = Self.name(of: field.role, in: kind)
            var name = wanted
            var number = 2
            while !names.insert(name).inserted {
                name = CandidateName.field(wanted, number)
                number += 1
            }
            fields.append(try CredentialField(name, try document.secret(field)))
        }
        let changed = candidate.modified ?? candidate.created
        let second = changed.map { min(UInt64(max($0, 1)), now) } ?? now
        var credential = try Credential(kind, fields, at: second)
        let tags = candidate.tags.map { CandidateName.cleaned($0) }.filter { Credential.isTag($0) }
        try credential.setTags(tags.prefix(Credential.maximumTags))
        if let end = candidate.expires, end > 0, UInt64(end) <= Credential.latestTime {
            try credential.setExpires(UInt64(end))
        }
        try credential.setOrigin(Self.origins[document.format])
        return credential
    }

    private static func name(of role: FieldRole, in kind: CredentialKind) -> String {
        switch role {
        case .password: CredentialField.password
        case .user: CredentialField.user
        case .url: CredentialField.url
        case .oneTimePassword: CredentialField.totp
        case .note: kind == .note ? CredentialField.text : "notes"
        case .named(let name): CandidateName.field(name)
        }
    }
}

/// The vault's name for an entry of another program: its folders and its title, separated by slashes.
enum CandidateName {
    /// The name for an entry, without forbidden characters; a name that is too long is cut between letters.
    static func of(_ candidate: Candidate) -> String {
        var whole = ""
        for part in candidate.folder + [candidate.title] {
            // Text after this point would be cut off in every Unicode form.
            guard whole.utf8.count < 8 * CredentialName.longest else { break }
            let part = cleaned(part)
            if !part.isEmpty { whole += whole.isEmpty ? part : "/\(part)" }
        }
        let name = cut(NameRules.normalized(whole), to: CredentialName.longest)
        return CredentialName.isValid(name) ? name : "entry \(candidate.place)"
    }

    /// A name for a field that the vault accepts.
    static func field(_ name: String) -> String {
        let name = cut(cleaned(name), to: CredentialField.longestName)
        return CredentialField.isName(name) ? name : "field"
    }

    /// A field's name with a number after it, for the second and later fields of that name.
    ///
    /// Different numbers give different names, however long the name is.
    static func field(_ name: String, _ number: Int) -> String {
        let ending = " \(number)"
        let name = cut(cleaned(name), to: CredentialField.longestName - ending.utf8.count)
        return CredentialField.isName(name) ? name + ending : "field" + ending
    }

    /// The text as one line, without forbidden characters.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": scalars.append(" ")
            case _ where scalar.isForbiddenInNames: break
            default: scalars.append(scalar)
            }
        }
        var line = scalars.drop { $0.properties.isWhitespace }
        while let last = line.last, last.properties.isWhitespace { line.removeLast() }
        return String(Substring(line))
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = ""
        for letter in text {
            guard kept.utf8.count + String(letter).utf8.count <= limit - 3 else { break }
            kept.append(letter)
        }
        return cleaned(kept) + "…"
    }
}
