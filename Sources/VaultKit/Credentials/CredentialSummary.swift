internal import RecordStore
public import Secrets

/// The facts about a credential that may be shown; they need no access to its values.
public struct CredentialSummary: Sendable, Hashable, Codable {
    /// The name of the credential.
    public let name: String
    /// The kind of the credential.
    public let kind: CredentialKind
    /// The field `user`, if it is one line of text.
    public let user: String?
    /// The field `url` without parts that may be secret, if it is an address.
    public let url: String?
    /// The tags of the credential.
    public let tags: [String]
    /// The number of the current version.
    public let version: UInt32
    /// When the current version was made, Unix seconds.
    public let changed: UInt64
    /// When the credential expires, Unix seconds.
    public let expires: UInt64?
    /// When the credential was added to the vault, Unix seconds.
    public let created: UInt64
    /// When the credential last changed in any way, Unix seconds.
    public let modified: UInt64
    /// When the credential was moved to the trash, Unix seconds.
    public let removedAt: UInt64?

    /// Makes the summary of a record from its searchable attributes.
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

    /// Whether the credential stays on this machine, even if the vault is shared with other machines.
    public var isLocal: Bool { tags.contains(SharedSecret.localTag) }

    /// Whether the credential has expired at a time, Unix seconds.
    public func isExpired(at second: UInt64) -> Bool { expires.map { $0 <= second } ?? false }
}

/// Everything about a credential except its values.
public struct CredentialDetails: Sendable, Hashable, Codable {
    /// A version and the names of its fields.
    public struct Version: Sendable, Hashable, Codable {
        /// The number of the version.
        public let number: UInt32
        /// When the version was made, Unix seconds.
        public let created: UInt64
        /// The names of the fields, in their order.
        public let fields: [String]
    }

    /// The summary of the credential.
    public let summary: CredentialSummary
    /// The origin of an imported credential, in words.
    public let origin: String?
    /// The kept versions, the newest last.
    public let versions: [Version]

    init(_ summary: CredentialSummary, _ credential: Credential) {
        self.summary = summary
        origin = credential.origin
        versions = credential.versions.map {
            Version(number: $0.number, created: $0.created, fields: $0.fields.map(\.name))
        }
    }

    /// The names of the fields of the current version.
    public var fields: [String] { versions.last?.fields ?? [] }
}

/// The result of setting a credential.
public struct CredentialOutcome: Sendable, Hashable, Codable {
    /// The summary after the change.
    public let summary: CredentialSummary
    /// Whether the credential is new.
    public let isNew: Bool
    /// Whether the credential has a new version, because a value differs.
    public let hasNewVersion: Bool
}
