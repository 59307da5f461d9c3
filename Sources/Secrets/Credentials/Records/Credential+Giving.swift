internal import VaultCrypto

extension Credential {
    /// The part of the credential that a contact gets: current version and tags, without history, origin and
    /// expiry.
    ///
    /// Two copies are compared by it too: for an unchanged copy it equals the shared content.
    public func given() throws(CredentialError) -> Credential {
        var given = alone()
        given.removedAt = nil
        try given.setExpires(nil)
        try given.setOrigin(nil)
        return given
    }

    /// The credential with only some of its fields.
    ///
    /// - Parameters:
    ///   - names: the fields to keep; empty for all, without the key of one-time passwords.
    ///   - includesTOTP: whether to keep that key too, if `names` is empty.
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
