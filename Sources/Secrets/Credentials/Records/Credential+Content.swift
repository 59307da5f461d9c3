public import VaultCrypto

/// The bytes of a record `secret` (Schemas/credentials.md).
extension Credential {
    private static let version: UInt8 = 1
    /// Bytes in the longest content that is read; this is also the limit of a record.
    private static let longestContent = 16 << 20

    /// Encodes the content in locked memory; a value that several versions share is stored once.
    ///
    /// - Throws: `CredentialError.badTime`; `outOfMemory`.
    public func content() throws(CredentialError) -> Secret {
        guard removedAt ?? 0 <= Self.latestTime else { throw .badTime }
        var places: [ObjectIdentifier: Int] = [:]
        var values: [Secret] = []
        for field in versions.flatMap(\.fields) where places[ObjectIdentifier(field.value)] == nil {
            places[ObjectIdentifier(field.value)] = values.count
            values.append(field.value)
        }
        var writer = try ContentWriter(capacity: values.reduce(4_096) { $0 + $1.count })
        try writer.byte(Self.version)
        try writer.byte(kind.rawValue)
        try writer.number(removedAt ?? 0)
        try writer.number(expires ?? 0)
        try writer.text(origin ?? "")
        try writer.count(tags)
        for tag in tags { try writer.text(tag) }
        try writer.count(values)
        for value in values { try writer.string(value) }
        try writer.count(versions)
        for version in versions {
            try writer.number(version.number)
            try writer.number(version.created)
            try writer.count(version.fields)
            for field in version.fields {
                try writer.text(field.name)
                try writer.number(UInt32(clamping: places[ObjectIdentifier(field.value)] ?? 0))
            }
        }
        return try writer.content()
    }

    /// Reads the output of `content`; the values are not copied, but stay parts of it.
    ///
    /// - Throws: `CredentialError.unsupportedVersion`; `malformed` for anything that `content` cannot write; the errors of
    ///   the parts.
    public init(content: Secret) throws(CredentialError) {
        guard content.count <= Self.longestContent else { throw .malformed }
        var reader = ContentReader(content)
        let version = try reader.byte()
        guard version == Self.version else { throw .unsupportedVersion(version) }
        guard let kind = CredentialKind(rawValue: try reader.byte()) else { throw .malformed }
        let (removed, expires) = (try reader.uint64(), try reader.uint64())
        let origin = try reader.text(limit: Self.longestOrigin)
        var tags: [String] = []
        for _ in 0..<(try reader.count(limit: Self.maximumTags)) {
            tags.append(try reader.text(limit: Self.longestTag))
        }
        let values = try Self.values(from: &reader)
        try self.init(kind, versions: try Self.versions(from: &reader, values))
        guard reader.isAtEnd, removed <= Self.latestTime else { throw .malformed }
        removedAt = removed == 0 ? nil : removed
        try setExpires(expires == 0 ? nil : expires)
        try setOrigin(origin.isEmpty ? nil : origin)
        try setTags(tags)
        guard self.tags == tags else { throw .malformed }
    }

    private static func values(from reader: inout ContentReader) throws(CredentialError) -> [Secret] {
        var values: [Secret] = []
        for _ in 0..<(try reader.count(limit: maximumVersions * CredentialVersion.maximumFields)) {
            values.append(try reader.part(limit: CredentialField.longestValue))
        }
        return values
    }

    private static func versions(
        from reader: inout ContentReader,
        _ values: [Secret]
    ) throws(CredentialError) -> [CredentialVersion] {
        var versions: [CredentialVersion] = []
        // Values are in the order in which fields first name them, so each credential has only one encoding.
        var named = 0
        for _ in 0..<(try reader.count(limit: maximumVersions)) {
            let (number, created) = (try reader.uint32(), try reader.uint64())
            var fields: [CredentialField] = []
            for _ in 0..<(try reader.count(limit: CredentialVersion.maximumFields)) {
                let name = try reader.text(limit: CredentialField.longestName)
                let place = Int(try reader.uint32())
                guard place < values.count, place <= named else { throw .malformed }
                named = max(named, place + 1)
                fields.append(try CredentialField(name, values[place]))
            }
            versions.append(try CredentialVersion(number: number, created: created, fields: fields))
        }
        guard named == values.count else { throw .malformed }
        return versions
    }
}

extension Credential: Codable {
    /// Encodes the whole credential as one secret; only a coder that supports secrets may do this.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try content())
    }

    /// Decodes the credential from one secret.
    public init(from decoder: any Decoder) throws {
        try self.init(content: try decoder.singleValueContainer().decode(Secret.self))
    }
}

extension Credential {
    /// The part of the credential for a contact: current version and tags, without history, origin and expiry.
    ///
    /// It also shows whether a copy was changed: for an unchanged copy it equals the shared content.
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
    /// - Returns: the credential to share.
    /// - Throws: `CredentialError.unknownField`; `noFields` if no field remains.
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

    /// Adds the version that a contact shared, and replaces the tags by the contact's.
    ///
    /// The version keeps its number if that is higher than the current number; otherwise it gets the next one.
    ///
    /// - Throws: `CredentialError.kindDiffers`; the errors of `CredentialVersion`.
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
