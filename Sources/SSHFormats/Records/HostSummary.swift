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
