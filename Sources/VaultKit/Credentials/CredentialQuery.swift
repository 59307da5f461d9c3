public import Secrets

/// The conditions for credentials in a list; nil means no condition.
public struct CredentialQuery: Sendable, Hashable, Codable {
    /// A text in the name, the user, the address or a tag; case is ignored.
    public var text: String?
    /// A tag.
    public var tag: String?
    /// The kind of the credentials.
    public var kind: CredentialKind?
    /// Credentials that expire before this time, Unix seconds.
    public var expiresBefore: UInt64?
    /// Credentials for this address, the best match first.
    public var url: CredentialURL?
    /// Credentials with this user.
    public var user: String?
    /// Whether to list credentials in the trash instead of the others.
    public var inTrash = false

    /// Makes a query for all credentials outside the trash.
    public init() {}

    /// Whether a credential matches the query.
    func covers(_ summary: CredentialSummary) -> Bool {
        guard (summary.removedAt != nil) == inTrash else { return false }
        if let tag, !summary.tags.contains(tag) { return false }
        if let kind, summary.kind != kind { return false }
        if let user, summary.user != user { return false }
        if let expiresBefore {
            guard let end = summary.expires, end < expiresBefore else { return false }
        }
        if url != nil, score(summary) == nil { return false }
        guard let text = text?.lowercased(), !text.isEmpty else { return true }
        let places = [summary.name, summary.user, summary.url].compactMap(\.self) + summary.tags
        return places.contains { $0.lowercased().contains(text) }
    }

    /// How well a credential matches the address; nil if it does not match.
    func score(_ summary: CredentialSummary) -> Int? {
        url.flatMap { asked in summary.url.flatMap { CredentialURL($0) }?.score(for: asked) }
    }
}

/// A page of a long list, for sending to another process.
struct CredentialPage: Codable, Sendable {
    /// The approximate bytes of texts in one page, which must fit through the agent's socket.
    static let longest = 2 << 20

    let summaries: [CredentialSummary]
    /// The last name of this page, if more credentials follow.
    let next: String?
}

/// The request for a page of a long list: the query, and the name before its first credential.
struct CredentialPageStart: Codable, Sendable {
    let query: CredentialQuery
    let after: String?
}
