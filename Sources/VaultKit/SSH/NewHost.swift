public import SSHFormats

/// A host profile on its way into the vault.
public struct NewHost: Sendable, Hashable, Codable {
    /// What is to be typed behind `ssh`.
    public var name: String
    /// The parts of the profile, not checked yet.
    public var fields: HostProfile.Fields
    /// What it was known by elsewhere; nil for a new identifier.
    public var id: HostID?
    /// Fields without a meaning here, to be given back.
    public var extras: [HostRecord.ExtraField]
    /// Whether it is to be the host that is meant when none is named.
    public var isDefault: Bool

    /// A profile to add.
    public init(
        name: String,
        fields: HostProfile.Fields,
        id: HostID? = nil,
        extras: [HostRecord.ExtraField] = [],
        isDefault: Bool = false
    ) {
        self.name = name
        self.fields = fields
        self.id = id
        self.extras = extras
        self.isDefault = isDefault
    }
}
