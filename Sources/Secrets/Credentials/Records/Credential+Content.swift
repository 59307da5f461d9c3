public import VaultCrypto

/// The bytes of a record `secret` (Schemas/credentials.md).
extension Credential {
    private static let version: UInt8 = 1
    /// Bytes in the longest content that is read: a record's own limit.
    private static let longestContent = 16 << 20

    /// The content, in locked memory; a value that several versions share is in it once.
    ///
    /// - Throws: `CredentialError.badTime`; `outOfMemory`.
    public func content() throws(CredentialError) -> Secret {
        guard removedAt ?? 0 <= Self.latestTime else { throw .badTime }
        var head = ContentWriter()
        head.byte(Self.version)
        head.byte(kind.rawValue)
        head.uint64(removedAt ?? 0)
        head.uint64(expires ?? 0)
        head.text(origin ?? "")
        head.uint32(tags.count)
        for tag in tags { head.text(tag) }
        var places: [ObjectIdentifier: Int] = [:]
        var values: [Secret] = []
        for field in versions.flatMap(\.fields) where places[ObjectIdentifier(field.value)] == nil {
            places[ObjectIdentifier(field.value)] = values.count
            values.append(field.value)
        }
        head.uint32(values.count)
        var pieces: [any ByteSource] = []
        for value in values {
            head.uint32(value.count)
            pieces.append(head.take())
            pieces.append(value)
        }
        head.uint32(versions.count)
        for version in versions {
            head.uint32(Int(version.number))
            head.uint64(version.created)
            head.uint32(version.fields.count)
            for field in version.fields {
                head.text(field.name)
                head.uint32(places[ObjectIdentifier(field.value)] ?? 0)
            }
        }
        pieces.append(head.take())
        do throws(CryptoError) {
            return Secret(try SecretBytes.joined(pieces))
        } catch {
            throw .outOfMemory
        }
    }

    /// Reads what `content` wrote; the values stay where they are, as parts of it.
    ///
    /// - Throws: `CredentialError.unsupportedVersion`; `malformed` for anything that `content` does not write, and
    ///   what the parts refuse.
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
        // Values come in the order in which fields first name them, so one state has one content.
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
    /// Encodes all of it as one secret, so only for a coder that knows secrets.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try content())
    }

    /// Decodes the secret.
    public init(from decoder: any Decoder) throws {
        try self.init(content: try decoder.singleValueContainer().decode(Secret.self))
    }
}
