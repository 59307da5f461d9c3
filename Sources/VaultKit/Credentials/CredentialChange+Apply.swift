internal import Credentials
internal import VaultCrypto

/// A credential after a change.
struct ChangedCredential {
    let credential: Credential
    /// A value is another one than before.
    let hasNewVersion: Bool
    /// Something is.
    let isChanged: Bool
}

extension CredentialChange {
    /// What a credential becomes; nil for one that is not there yet.
    ///
    /// - Throws: `CredentialError.kindDiffers`; `noFields`; what the parts refuse.
    func applied(to before: Credential?, at second: UInt64) throws(CredentialError) -> ChangedCredential {
        guard let before else {
            let kind = kind ?? .login
            var made = try Credential(kind, try fields(for: kind), at: second)
            _ = try change(&made)
            return ChangedCredential(credential: made, hasNewVersion: true, isChanged: true)
        }
        if let kind, kind != before.kind { throw .kindDiffers }
        var after = before
        let fields = try merged(try self.fields(for: before.kind), into: before.current.fields)
        if let fields { try after.add(fields, at: second) }
        let isOther = try change(&after)
        return ChangedCredential(
            credential: after,
            hasNewVersion: fields != nil,
            isChanged: fields != nil || isOther
        )
    }

    /// Tags and end; whether they are others now.
    private func change(_ credential: inout Credential) throws(CredentialError) -> Bool {
        let (tags, end) = (credential.tags, credential.expires)
        try credential.setTags(self.tags(after: tags))
        switch expires {
        case nil: break
        case .never: try credential.setExpires(nil)
        case .at(let moment): try credential.setExpires(moment)
        }
        return credential.tags != tags || credential.expires != end
    }

    /// The fields of the next version; nil when they are those of the present one.
    private func merged(
        _ new: [CredentialField],
        into old: [CredentialField]
    ) throws(CredentialError) -> [CredentialField]? {
        var fields = old.filter { !dropped.contains($0.name) }
        var isChanged = fields.count != old.count
        for field in new {
            guard let place = fields.firstIndex(where: { $0.name == field.name }) else {
                fields.append(field)
                isChanged = true
                continue
            }
            // A value that stays is kept once for all its versions.
            guard !ConstantTime.equal(fields[place].value, field.value) else { continue }
            fields[place] = field
            isChanged = true
        }
        return isChanged ? fields : nil
    }
}
