/// A host profile in the vault.
public struct HostSummary: Sendable, Hashable, Codable {
    /// The name in the vault, in lower case, which people type after `ssh`.
    public let name: String
    /// The facts for reaching the machine; the profile's `id` never changes.
    public let profile: HostProfile
    /// Fields of an imported profile that have no meaning here, in their order.
    public let extras: [HostRecord.ExtraField]
    /// Whether commands without a host's name use this host.
    public let isDefault: Bool
    /// Whether the profile stays on this machine.
    public let isLocal: Bool
    /// Time when the profile was added to the vault, Unix seconds.
    public let created: UInt64
    /// Time of the last change, Unix seconds.
    public let modified: UInt64
    /// Time when the profile was moved to the trash, Unix seconds; nil if it is not there.
    public let removedAt: UInt64?

    /// Makes the summary of a record.
    package init(_ record: HostRecord, named name: String, created: UInt64, modified: UInt64) {
        self.name = name
        profile = record.profile
        extras = record.extras
        (isDefault, isLocal) = (record.isDefault, record.isLocal)
        self.created = created
        self.modified = modified
        removedAt = record.removedAt
    }
}

/// A known host in the vault: the content of its line, and further facts about it.
public struct HostKeySummary: Sendable, Hashable, Identifiable, Codable {
    /// The number of the line among all lines; a lower number is exported first.
    public let id: UInt64
    /// The content of the line: marker, names and key with its comment.
    public let host: KnownHost
    /// How the vault came to trust the line.
    public let source: HostKeySource
    /// Time when the line was added to the vault, Unix seconds.
    public let firstSeen: UInt64
    /// Time when a host last showed the key, Unix seconds, exact to a day; nil if none has since the line was
    /// added.
    public let lastSeen: UInt64?
    /// Whether the line counts, or is history.
    public let state: HostKeyEntry.State
    /// Whether nobody has confirmed the line since a backup was restored: the host's key may have been replaced meanwhile.
    public let isUncompared: Bool

    /// Whether the line waits for a person's decision.
    ///
    /// Such a line was imported with a hash or a pattern, and the name of the search had another key before. False if the
    /// search had no name.
    public let isWaiting: Bool

    /// Makes the summary of a line; nil if the line has no host.
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
    /// Whether the line counts; other lines are history, or wait.
    public var isCurrent: Bool { state == .current && !isWaiting }
    /// Whether the line was not imported, or a host has shown its key since.
    package var isConfirmed: Bool { source != .imported || lastSeen != nil }
}
