public import Secrets

/// The conditions for credentials in a list; a condition that is nil does not count.
public struct CredentialQuery: Sendable, Hashable, Codable {
    /// A text in the name, the user, the address or a tag, in upper or lower case.
    public var text: String?
    /// A tag.
    public var tag: String?
    /// The kind of the credentials.
    public var kind: CredentialKind?
    /// Credentials that expire before this time, Unix seconds.
    public var expiresBefore: UInt64?
    /// Credentials for this address, the best first.
    public var url: CredentialURL?
    /// Credentials with this user.
    public var user: String?
    /// Whether to list credentials in the trash instead of the others.
    public var inTrash = false

    /// All that are not in the trash.
    public init() {}

    /// Whether a credential is wanted.
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

    /// How well a credential serves the address; nil for not at all.
    func score(_ summary: CredentialSummary) -> Int? {
        url.flatMap { asked in summary.url.flatMap { CredentialURL($0) }?.score(for: asked) }
    }
}

/// One part of a long list, as it crosses a process boundary.
struct CredentialPage: Codable, Sendable {
    /// Bytes of texts in one part, roughly: an answer has to fit through the agent's socket.
    static let longest = 2 << 20

    let summaries: [CredentialSummary]
    /// The last name of this part when there are more.
    let next: String?
}

/// Where a part of a long list begins.
struct CredentialPageStart: Codable, Sendable {
    let query: CredentialQuery
    let after: String?
}
