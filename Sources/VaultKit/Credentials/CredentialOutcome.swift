/// What became of a credential that was to be set.
public struct CredentialOutcome: Sendable, Hashable, Codable {
    /// How it is now.
    public let summary: CredentialSummary
    /// It was not there before.
    public let isNew: Bool
    /// It has a new version: some value is another one than before.
    public let hasNewVersion: Bool
}
