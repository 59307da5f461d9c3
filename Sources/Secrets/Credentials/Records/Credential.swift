internal import VaultCrypto

/// Everything that the vault keeps of one password, token, note or file (Schemas/credentials.md).
public struct Credential: Sendable {
    /// Versions that are kept: the present one and nine before it.
    public static let maximumVersions = 10
    /// Tags that one credential may have.
    public static let maximumTags = 32
    /// Bytes in the longest tag.
    public static let longestTag = 64
    /// Bytes in the longest note of where something came from.
    public static let longestOrigin = 256
    /// The last second of the year 9999: no time is later.
    public static let latestTime: UInt64 = 253_402_300_799

    /// The kind of the credential.
    public let kind: CredentialKind
    /// The tags, each once, in the order of their bytes.
    public private(set) var tags: [String] = []
    /// Expiry, Unix seconds; nil for never.
    public private(set) var expires: UInt64?
    /// Where the credential was imported from, in words; nil if it was made here.
    public private(set) var origin: String?
    /// When it was put into the trash, Unix seconds; nil while it is not there.
    public var removedAt: UInt64?
    /// At most ten, the newest last; never empty.
    public private(set) var versions: [CredentialVersion]

    /// A credential with a first version.
    ///
    /// - Throws: what `CredentialVersion` refuses.
    public init(_ kind: CredentialKind, _ fields: [CredentialField], at second: UInt64)
        throws(CredentialError)
    {
        self.kind = kind
        versions = [try CredentialVersion(number: 1, created: second, fields: fields)]
    }

    /// A credential with its history.
    ///
    /// - Throws: `CredentialError.malformed` for no version, more than ten, or numbers that do not ascend.
    public init(_ kind: CredentialKind, versions: [CredentialVersion]) throws(CredentialError) {
        let isAscending = zip(versions, versions.dropFirst()).allSatisfy { $0.number < $1.number }
        guard (1...Self.maximumVersions).contains(versions.count), isAscending else { throw .malformed }
        self.kind = kind
        self.versions = versions
    }

    /// The version that counts.
    public var current: CredentialVersion { versions[versions.count - 1] }

    /// Whether it is in the trash.
    public var isRemoved: Bool { removedAt != nil }

    /// A version by its number; nil when it was never there, or is not kept any more.
    public func version(_ number: UInt32) -> CredentialVersion? { versions.first { $0.number == number } }

    /// Adds a version; of more than ten the oldest goes.
    ///
    /// - Throws: what `CredentialVersion` refuses.
    public mutating func add(_ fields: [CredentialField], at second: UInt64) throws(CredentialError) {
        let (number, isOver) = current.number.addingReportingOverflow(1)
        guard !isOver else { throw .malformed }
        // A clock that was set back does not turn the history around.
        let created = max(second, current.created)
        try add(CredentialVersion(number: number, created: created, fields: fields))
    }

    /// Adds a version; of more than ten the oldest goes.
    ///
    /// - Throws: `CredentialError.malformed` for a number that is not above the present one.
    mutating func add(_ version: CredentialVersion) throws(CredentialError) {
        guard version.number > current.number else { throw .malformed }
        versions.append(version)
        if versions.count > Self.maximumVersions {
            versions.removeFirst(versions.count - Self.maximumVersions)
        }
    }

    /// Puts another value into a field of the version that counts, which stays that version: for what moves by itself,
    /// like the counter of one-time passwords, and is no decision of its owner's.
    ///
    /// - Throws: what `CredentialVersion` refuses.
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

    /// Says by which words it is found.
    ///
    /// - Throws: `CredentialError.badTag`; `tooManyTags`.
    public mutating func setTags(_ tags: some Sequence<String>) throws(CredentialError) {
        let unique = Set(tags)
        guard unique.count <= Self.maximumTags else { throw .tooManyTags(limit: Self.maximumTags) }
        for tag in unique where !Self.isTag(tag) { throw .badTag }
        self.tags = unique.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Says when it expires.
    ///
    /// - Throws: `CredentialError.badTime`.
    public mutating func setExpires(_ second: UInt64?) throws(CredentialError) {
        guard second.map({ (1...Self.latestTime).contains($0) }) ?? true else { throw .badTime }
        expires = second
    }

    /// Says where it was brought from.
    ///
    /// - Throws: `CredentialError.badOrigin`.
    public mutating func setOrigin(_ origin: String?) throws(CredentialError) {
        guard origin.map({ PlainText.isLine($0, longest: Self.longestOrigin) }) ?? true else {
            throw .badOrigin
        }
        self.origin = origin
    }

    /// One line of 1 to 64 bytes without a comma.
    public static func isTag(_ tag: String) -> Bool {
        PlainText.isLine(tag, longest: longestTag) && !tag.contains(",")
    }
}

/// The fields of a credential as they were from one moment on.
public struct CredentialVersion: Sendable {
    /// Fields that one version may have.
    public static let maximumFields = 64
    /// Bytes in all values of one version, 1.5 MiB: ten versions fit into one record then, whatever they hold.
    public static let longest = 3 << 19

    /// Its number: 1 for the first of the credential, each later one the next, none used twice.
    public let number: UInt32
    /// When it was made, Unix seconds.
    public let created: UInt64
    /// The fields, each name once, in the order in which they came.
    public let fields: [CredentialField]

    /// A version.
    ///
    /// - Throws: `CredentialError.noFields`; `tooManyFields`; `badField` for a name that comes twice; `versionTooLong`;
    ///   `badTime`.
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

    /// The field of a name; nil when there is none.
    public subscript(name: String) -> CredentialField? { fields.first { $0.name == name } }
}
