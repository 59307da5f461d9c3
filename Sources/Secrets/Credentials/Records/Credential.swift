internal import VaultCrypto

/// A password, token, note or file with all its data in the vault (Schemas/credentials.md).
public struct Credential: Sendable {
    /// The most versions that are kept: the current version and nine before it.
    public static let maximumVersions = 10
    /// The most tags of one credential.
    public static let maximumTags = 32
    /// Bytes in the longest tag.
    public static let longestTag = 64
    /// Bytes in the longest note about an origin.
    public static let longestOrigin = 256
    /// The last second of the year 9999, the latest valid time.
    public static let latestTime: UInt64 = 253_402_300_799

    /// The kind of the credential.
    public let kind: CredentialKind
    /// The tags, each once, in the order of their bytes.
    public private(set) var tags: [String] = []
    /// Expiry, Unix seconds; nil for never.
    public private(set) var expires: UInt64?
    /// The origin of an imported credential, in words; nil if it was made here.
    public private(set) var origin: String?
    /// When the credential was moved to the trash, Unix seconds; nil if it is not there.
    public var removedAt: UInt64?
    /// The versions, at most ten and at least one, the newest last.
    public private(set) var versions: [CredentialVersion]

    /// Makes a credential with a first version.
    ///
    /// - Throws: the errors of `CredentialVersion`.
    public init(_ kind: CredentialKind, _ fields: [CredentialField], at second: UInt64)
        throws(CredentialError)
    {
        self.kind = kind
        versions = [try CredentialVersion(number: 1, created: second, fields: fields)]
    }

    /// Makes a credential with its history.
    ///
    /// - Throws: `CredentialError.malformed` without a version, for more than ten versions, or for numbers that do not ascend.
    public init(_ kind: CredentialKind, versions: [CredentialVersion]) throws(CredentialError) {
        let isAscending = zip(versions, versions.dropFirst()).allSatisfy { $0.number < $1.number }
        guard (1...Self.maximumVersions).contains(versions.count), isAscending else { throw .malformed }
        self.kind = kind
        self.versions = versions
    }

    /// The current version.
    public var current: CredentialVersion { versions[versions.count - 1] }

    /// Whether the credential is in the trash.
    public var isRemoved: Bool { removedAt != nil }

    /// The version with a number; nil if it never existed or is no longer kept.
    public func version(_ number: UInt32) -> CredentialVersion? { versions.first { $0.number == number } }

    /// Adds a version; above ten versions the oldest is removed.
    ///
    /// - Throws: the errors of `CredentialVersion`; `malformed` after the highest number.
    public mutating func add(_ fields: [CredentialField], at second: UInt64) throws(CredentialError) {
        let (number, isOver) = current.number.addingReportingOverflow(1)
        guard !isOver else { throw .malformed }
        // After a clock was set back, the times of the history still ascend.
        let created = max(second, current.created)
        try add(CredentialVersion(number: number, created: created, fields: fields))
    }

    /// Adds a version; above ten versions the oldest is removed.
    ///
    /// - Throws: `CredentialError.malformed` for a number that is not above the current number.
    mutating func add(_ version: CredentialVersion) throws(CredentialError) {
        guard version.number > current.number else { throw .malformed }
        versions.append(version)
        if versions.count > Self.maximumVersions {
            versions.removeFirst(versions.count - Self.maximumVersions)
        }
    }

    /// Replaces the value of a field in the current version, without a new version.
    ///
    /// Only a value that changes without a decision of the owner is set like this: the counter of one-time passwords.
    ///
    /// - Throws: `unknownField`; the errors of `CredentialVersion`.
    public mutating func put(_ field: CredentialField) throws(CredentialError) {
        var fields = current.fields
        guard let place = fields.firstIndex(where: { $0.name == field.name }) else { throw .unknownField }
        fields[place] = field
        versions[versions.count - 1] = try CredentialVersion(
            number: current.number,
            created: current.created,
            fields: fields
        )
    }

    /// The credential without its history.
    public func alone() -> Credential {
        var alone = self
        alone.versions = [current]
        return alone
    }

    /// Sets the tags.
    ///
    /// - Throws: `CredentialError.badTag`; `tooManyTags`.
    public mutating func setTags(_ tags: some Sequence<String>) throws(CredentialError) {
        let unique = Set(tags)
        guard unique.count <= Self.maximumTags else { throw .tooManyTags(limit: Self.maximumTags) }
        for tag in unique where !Self.isTag(tag) { throw .badTag }
        self.tags = unique.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Sets the expiry, Unix seconds; nil for never.
    ///
    /// - Throws: `CredentialError.badTime`.
    public mutating func setExpires(_ second: UInt64?) throws(CredentialError) {
        guard second.map({ (1...Self.latestTime).contains($0) }) ?? true else { throw .badTime }
        expires = second
    }

    /// Sets the origin.
    ///
    /// - Throws: `CredentialError.badOrigin`.
    public mutating func setOrigin(_ origin: String?) throws(CredentialError) {
        guard origin.map({ PlainText.isLine($0, longest: Self.longestOrigin) }) ?? true else {
            throw .badOrigin
        }
        self.origin = origin
    }

    /// Whether a tag is valid: one line of 1 to 64 bytes without a comma.
    public static func isTag(_ tag: String) -> Bool {
        PlainText.isLine(tag, longest: longestTag) && !tag.contains(",")
    }
}

/// The fields of a credential from one change to the next.
public struct CredentialVersion: Sendable {
    /// The most fields of one version.
    public static let maximumFields = 64
    /// Bytes in all values of one version, 1.5 MiB, so that ten full versions fit into one record.
    public static let longest = 3 << 19

    /// The number of the version: 1 for the first version of a credential; later numbers are higher and never reused.
    public let number: UInt32
    /// When the version was made, Unix seconds.
    public let created: UInt64
    /// The fields, each name once, in their original order.
    public let fields: [CredentialField]

    /// Makes a version.
    ///
    /// - Throws: `CredentialError.noFields`; `tooManyFields`; `badField` for a repeated name; `versionTooLong`; `malformed`
    ///   for the number 0; `badTime`.
    public init(number: UInt32, created: UInt64, fields: [CredentialField]) throws(CredentialError) {
        guard !fields.isEmpty else { throw .noFields }
        guard fields.count <= Self.maximumFields else { throw .tooManyFields(limit: Self.maximumFields) }
        guard Set(fields.map(\.name)).count == fields.count else { throw .badField }
        guard fields.reduce(0, { $0 + $1.value.count }) <= Self.longest else {
            throw .versionTooLong(limit: Self.longest)
        }
        guard number > 0 else { throw .malformed }
        guard created <= Credential.latestTime else { throw .badTime }
        self.number = number
        self.created = created
        self.fields = fields
    }

    /// The field with a name; nil if the version does not have it.
    public subscript(name: String) -> CredentialField? { fields.first { $0.name == name } }
}
