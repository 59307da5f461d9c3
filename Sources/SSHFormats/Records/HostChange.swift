/// A change of a host profile; nil keeps a part as it is.
public struct HostChange: Sendable, Hashable, Codable {
    /// The new name in the vault.
    public var name: String?
    /// The new label; empty for none.
    public var label: String?
    /// A host name or address.
    public var host: String?
    /// 1 to 65535.
    public var port: Int?
    /// The user who logs in.
    public var user: String?
    /// A raw value of `HostProfile.Authentication`.
    public var authentication: String?
    /// The name of a key in the vault; empty for none.
    public var keyReference: String?
    /// The name of a password in the vault; empty for none.
    public var passwordReference: String?
    /// The folder on the machine that files are copied to.
    public var uploadPath: String?
    /// The name under which the machine's keys are known; empty for its address.
    public var hostKeyAlias: String?
    /// Whether the profile stays on this machine.
    public var isLocal: Bool?

    /// No change.
    public init() {}

    /// The parts of a profile after the change.
    package func applied(to fields: HostProfile.Fields) -> HostProfile.Fields {
        var fields = fields
        if let label { fields.label = label }
        if let host { fields.host = host }
        if let port { fields.port = port }
        if let user { fields.user = user }
        if let authentication { fields.authentication = authentication }
        if let keyReference { fields.keyReference = keyReference }
        if let passwordReference { fields.passwordReference = passwordReference }
        if let uploadPath { fields.uploadPath = uploadPath }
        if let hostKeyAlias { fields.hostKeyAlias = hostKeyAlias.isEmpty ? nil : hostKeyAlias }
        return fields
    }

    /// The changes besides the name, one line for each.
    package var facts: [String] {
        func fact(_ word: String, _ value: String?) -> [String] {
            value.map { ["\(word): \($0.isEmpty ? "none" : $0)"] } ?? []
        }
        return fact("Label", label) + fact("Address", host) + fact("Port", port.map { "\($0)" })
            + fact("User", user) + fact("Login by", authentication) + fact("Key", keyReference)
            + fact("Password", passwordReference) + fact("Folder for files", uploadPath)
            + fact("Name of its host keys", hostKeyAlias)
            + fact("Only on this machine", isLocal.map { $0 ? "yes" : "no" })
    }
}

/// A new host profile for the vault.
public struct NewHost: Sendable, Hashable, Codable {
    /// The name to type after `ssh`.
    public var name: String
    /// The parts of the profile, not validated.
    public var fields: HostProfile.Fields
    /// The profile's identifier elsewhere; nil for a new one.
    public var id: HostID?
    /// Unknown fields, kept for exports.
    public var extras: [HostRecord.ExtraField]
    /// Whether the profile becomes the default host, which is used when no host is named.
    public var isDefault: Bool
    /// Whether the profile stays on this machine.
    public var isLocal = false

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

    /// The profile's destination, in one line.
    package var fact: String {
        let key = fields.keyReference.map { ", key \($0)" } ?? ""
        let password = fields.passwordReference.map { ", password \($0)" } ?? ""
        let alias = fields.hostKeyAlias.map { ", host keys of \($0)" } ?? ""
        return "\(name): \(fields.user) at \(fields.host), port \(fields.port)\(key)\(password)\(alias)"
    }
}
