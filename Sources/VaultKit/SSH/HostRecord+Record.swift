internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// Content ↔ record of a host profile (Schemas/ssh-records.md).
extension HostRecord: NamedRecord {
    static let recordKind = "ssh.host"
    static let identity: String? = "id"
    static let isPurgedByEveryChange = true
    static let refusals = NameRefusals(
        unknown: .ssh(.unknownHost),
        inTrash: .ssh(.hostInTrash),
        taken: .ssh(.hostNameTaken),
        bad: .ssh(.format(.badHostName))
    )

    /// Whether it is a name as it is stored.
    static func isName(_ name: String) -> Bool { (try? self.name(name)) == name }

    init(body: Secret) throws { try self.init(content: body.withBytes { $0.copied() }) }

    func body() throws -> Secret { try Secret(copying: try content()) }

    func attributes() throws -> Attributes {
        var pairs = [
            "id": profile.id.description,
            "address": profile.address.lookup,
            "user": profile.user,
        ]
        pairs["key"] = profile.keyReference
        pairs["removed"] = removedAt.map { String($0) }
        if isDefault { pairs["default"] = "yes" }
        return try Attributes(pairs)
    }
}
