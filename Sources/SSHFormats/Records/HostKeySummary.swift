/// A known host in the vault: what its line says, and what is known about it.
public struct HostKeySummary: Sendable, Hashable, Identifiable, Codable {
    /// What it is known by among all lines; a lower number is exported first.
    public let id: UInt64
    /// What the line says: marker, names and key with its comment.
    public let host: KnownHost
    /// How it came to be believed.
    public let source: HostKeySource
    /// When it came into the vault, Unix seconds.
    public let firstSeen: UInt64
    /// When a host last showed the key, Unix seconds, exact to a day; nil if none has since it is here.
    public let lastSeen: UInt64?
    /// Whether it counts, or is history.
    public let state: HostKeyEntry.State
    /// Whether a backup was restored, and no one confirmed the line since: the key may have been replaced meanwhile.
    public let isUncompared: Bool

    /// Whether it waits for a person to decide.
    ///
    /// An import brought it behind a hash or a pattern, and the name that was asked for had another key before.
    /// Without a name to ask for, nothing waits.
    public let isWaiting: Bool

    /// Nil for a line that says nothing of a host.
    package init?(_ entry: HostKeyEntry, isWaiting: Bool = false) {
        guard let host = entry.host else { return nil }
        id = entry.sequence
        self.host = host
        source = entry.source
        firstSeen = entry.firstSeen
        lastSeen = entry.lastSeen
        state = entry.state
        isUncompared = entry.isUncompared
        self.isWaiting = isWaiting
    }

    /// The key, with the comment of the line.
    public var key: PublicKey { host.key }
    /// Whether it counts; everything else is history, or waits.
    public var isCurrent: Bool { state == .current && !isWaiting }
}
