/// What became of a host key that was to be trusted.
public struct HostKeyTrust: Sendable, Hashable, Codable {
    /// The line.
    public let line: HostKeySummary
    /// Whether it is new; if not, the key was trusted for this very name before, and nothing changed.
    public let isNew: Bool
}

/// What became of a host key that was to take the place of others.
public struct HostKeyReplacement: Sendable, Hashable, Codable {
    /// The line that counts now.
    public let line: HostKeySummary
    /// The lines that became history; none if the key was the only one before.
    public let replaced: [HostKeySummary]
}
