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
