/// A host profile in the vault.
public struct HostSummary: Sendable, Hashable, Codable {
    /// Its name in the vault, in lower case: what is typed after `ssh`.
    public let name: String
    /// How to reach the machine; its `id` stays over all changes.
    public let profile: HostProfile
    /// Fields of an imported profile that have no meaning here, in their order.
    public let extras: [HostRecord.ExtraField]
    /// Whether it is the host that is meant when none is named.
    public let isDefault: Bool
    /// Whether it stays on this machine.
    public let isLocal: Bool
    /// When it came into the vault, Unix seconds.
    public let created: UInt64
    /// When it was last changed, Unix seconds.
    public let modified: UInt64
    /// When it was put into the trash, Unix seconds.
    public let removedAt: UInt64?

    /// A profile as its record has it.
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

/// A known host in the vault: what its line says, and what is known about it.
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
    /// Whether it came otherwise than by an import, or ssh has found a host by it since.
    package var isConfirmed: Bool { source != .imported || lastSeen != nil }
}
