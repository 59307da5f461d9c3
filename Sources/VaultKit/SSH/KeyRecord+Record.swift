internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// Content ↔ record of an SSH key (Schemas/ssh-records.md).
extension KeyRecord: NamedRecord {
    static let recordKind = "ssh.key"
    static let identity: String? = "fingerprint"
    static let longestName = KeyName.longest
    static let isPurgedByEveryChange = true
    static let refusals = NameRefusals(
        unknown: .ssh(.unknownKey),
        inTrash: .ssh(.keyInTrash),
        taken: .ssh(.keyNameTaken),
        bad: .ssh(.badKeyName)
    )

    /// Bytes of a comment that are searchable.
    private static let longestShown = 1024

    static func isName(_ name: String) -> Bool { KeyName.isValid(name) }

    init(body: Secret) throws { try self.init(content: body) }

    func body() throws -> Secret { try content() }

    func attributes() throws -> Attributes {
        let key = publicKey
        var pairs: [(name: String, value: [UInt8])] = []
        func add(_ name: String, _ value: String) { pairs.append((name, Array(value.utf8))) }
        add("fingerprint", key.fingerprint.description)
        add("type", key.algorithm.name)
        add("state", "\(state)")
        add("origin", "\(origin)")
        if let bits = key.bits { add("bits", String(bits)) }
        if !key.comment.isEmpty {
            pairs.append(("comment", Array(key.comment.prefix(Self.longestShown))))
        }
        if key.blob.count <= RecordLimits.attributeValue { pairs.append(("public", key.blob)) }
        if let time = removedAt { add("removed", String(time)) }
        if let time = retiredAt { add("retired", String(time)) }
        if use.needsConfirmation { add("confirm", "yes") }
        if use.lifetime > 0 { add("lifetime", String(use.lifetime)) }
        if !use.hosts.isEmpty { add("only-for", use.hosts.joined(separator: ",")) }
        if !use.namespaces.isEmpty { add("sign", use.namespaces.joined(separator: ",")) }
        if !certificates.isEmpty { add("certificates", String(certificates.count)) }
        if let time = certificateEnd { add("certificate-end", String(time)) }
        return try Attributes(bytes: pairs)
    }
}
