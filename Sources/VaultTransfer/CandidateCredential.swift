internal import Credentials
internal import ImportFormats
internal import VaultCrypto

/// An entry of another program as the vault keeps it: every value under a name, its bytes as they were.
struct CandidateCredential {
    /// Where it comes from, for people.
    static let origins: [ImportFormat: String] = [
        .kdbxXML: "KeePass", .keepassxcCSV: "KeePassXC", .bitwarden: "Bitwarden", .onePassword: "1Password",
        .protonPass: "Proton Pass", .browserCSV: "browser", .csv: "CSV", .pass: "pass",
        .secretService: "Secret Service",
    ]

    let document: ImportDocument
    /// Unix seconds.
    let now: UInt64

    /// The credential.
    ///
    /// Tags that the vault does not take are left out: they are words, not values.
    ///
    /// - Throws: `CredentialError` for what is over the limits.
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
