public import SSHFormats

/// What the vault says to a key that a host offers.
public struct HostKeyCheck: Sendable, Equatable, Codable {
    /// The verdict, as ssh would give it.
    public let check: HostCheck
    /// The lines behind the verdict: the one that matches, certifies or revokes; for a changed key all that are
    /// trusted; none for a new host.
    public let lines: [HostKeySummary]
    /// Earlier lines of this name with the very key that is offered: it was replaced, or taken out.
    public let history: [HostKeySummary]
    /// Why it could not be noted that the key was seen; it does not touch the verdict.
    public let notNoted: VaultError?

    /// What is said to the key.
    public var verdict: HostVerdict { check.verdict }
}

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
