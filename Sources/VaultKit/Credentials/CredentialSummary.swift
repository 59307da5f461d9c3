internal import RecordStore
public import Secrets

/// What may be shown of a credential; no value was opened for it.
public struct CredentialSummary: Sendable, Hashable, Codable {
    /// The name of the credential.
    public let name: String
    /// The kind of the credential.
    public let kind: CredentialKind
    /// The field `user`, if it is one line of text.
    public let user: String?
    /// The field `url` without parts that may be secret, if it is an address.
    public let url: String?
    /// Words to find it by.
    public let tags: [String]
    /// The number of the version that counts.
    public let version: UInt32
    /// When that version was made, Unix seconds.
    public let changed: UInt64
    /// When the credential expires, Unix seconds.
    public let expires: UInt64?
    /// When it came into the vault, Unix seconds.
    public let created: UInt64
    /// When anything about it was last changed, Unix seconds.
    public let modified: UInt64
    /// When it was put into the trash, Unix seconds.
    public let removedAt: UInt64?

    /// The summary of a record by what is searchable in it.
    init(_ info: RecordInfo) {
        let attributes = info.attributes
        name = info.id.name
        kind = attributes["type"].flatMap { CredentialKind(word: $0) } ?? .note
        user = attributes["user"]
        url = attributes["url"]
        tags = attributes["tags"].map { $0.split(separator: ",").map(String.init) } ?? []
        version = attributes["version"].flatMap { UInt32($0) } ?? 0
        changed = attributes["changed"].flatMap { UInt64($0) } ?? 0
        expires = info.expires == 0 ? nil : info.expires / 1000
        created = info.created / 1000
        modified = info.modified / 1000
        removedAt = attributes["removed"].flatMap { UInt64($0) }
    }

    /// Whether it stays on this machine, also if the vault is shared with others.
    public var isLocal: Bool { tags.contains(SharedSecret.localTag) }

    /// Whether it is past its time at a moment, Unix seconds.
    public func isExpired(at second: UInt64) -> Bool { expires.map { $0 <= second } ?? false }
}

/// Everything about a credential but its values.
public struct CredentialDetails: Sendable, Hashable, Codable {
    /// A version and the names of its fields.
    public struct Version: Sendable, Hashable, Codable {
        /// Its number.
        public let number: UInt32
        /// When it was made, Unix seconds.
        public let created: UInt64
        /// The names of its fields, in their order.
        public let fields: [String]
    }

    /// What lists show of it.
    public let summary: CredentialSummary
    /// Where the credential was imported from, in words.
    public let origin: String?
    /// The versions that are kept, the newest last.
    public let versions: [Version]

    init(_ summary: CredentialSummary, _ credential: Credential) {
        self.summary = summary
        origin = credential.origin
        versions = credential.versions.map {
            Version(number: $0.number, created: $0.created, fields: $0.fields.map(\.name))
        }
    }

    /// The names of the fields of the version that counts.
    public var fields: [String] { versions.last?.fields ?? [] }
}

/// The result of setting a credential.
public struct CredentialOutcome: Sendable, Hashable, Codable {
    /// How it is now.
    public let summary: CredentialSummary
    /// It was not there before.
    public let isNew: Bool
    /// It has a new version: some value is another one than before.
    public let hasNewVersion: Bool
}
