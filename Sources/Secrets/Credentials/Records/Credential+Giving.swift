internal import VaultCrypto

extension Credential {
    /// What of it is given to a contact: the version that counts and the tags, without history, origin and end.
    ///
    /// Also what two copies are compared by: of a copy that nothing was changed about, it is what was given.
    public func given() throws(CredentialError) -> Credential {
        var given = alone()
        given.removedAt = nil
        try given.setExpires(nil)
        try given.setOrigin(nil)
        return given
    }

    /// The same with some of its fields only.
    ///
    /// - Parameters:
    ///   - names: which; empty for all, without the key of one-time passwords.
    ///   - includesTOTP: whether that key goes along, where `names` is empty.
    /// - Returns: what is given.
    /// - Throws: `CredentialError.unknownField`; `noFields` if none is left.
    public func given(
        fields names: [String],
        includesTOTP: Bool = false
    ) throws(CredentialError) -> Credential {
        for name in names where current[name] == nil { throw .unknownField }
        let fields = current.fields.filter { field in
            names.isEmpty ? includesTOTP || field.name != CredentialField.totp : names.contains(field.name)
        }
        let version = try CredentialVersion(number: current.number, created: current.created, fields: fields)
        var given = try Credential(kind, versions: [version])
        try given.setTags(tags)
        return given
    }

    /// Takes a version that a contact gave, with its number where that is free, and the tags that come with it.
    ///
    /// - Throws: `CredentialError.kindDiffers`; what `CredentialVersion` refuses.
    public mutating func take(given other: Credential) throws(CredentialError) {
        guard kind == other.kind else { throw .kindDiffers }
        let theirs = other.current
        if theirs.number > current.number {
            try add(
                CredentialVersion(
                    number: theirs.number,
                    created: max(theirs.created, current.created),
                    fields: theirs.fields
                )
            )
        } else {
            try add(theirs.fields, at: theirs.created)
        }
        try setTags(other.tags)
    }
}
