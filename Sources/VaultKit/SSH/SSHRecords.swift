internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// Content ↔ record of what the vault keeps for SSH (Schemas/ssh-records.md).
enum SSHRecords {
    static let key = "ssh.key"
    static let host = "ssh.host"
    static let hostKey = "ssh.hostkey"

    /// The longest comment that is searchable.
    private static let longestComment = 1024

    /// A key's record under a name.
    static func draft(
        of record: KeyRecord,
        named name: String
    ) throws(VaultError) -> RecordDraft {
        do {
            return RecordDraft(
                id: try RecordID(key, name),
                attributes: try attributes(of: record),
                body: try record.content()
            )
        } catch {
            throw VaultError(error)
        }
    }

    /// The record of a key; the content, not what is searchable, says what it is.
    static func key(_ record: Record) throws(VaultError) -> KeyRecord {
        do throws(SSHFormatError) {
            return try KeyRecord(content: record.body)
        } catch {
            throw .ssh(.format(error))
        }
    }

    /// A host profile's record under a name.
    static func draft(
        of record: HostRecord,
        named name: String
    ) throws(VaultError) -> RecordDraft {
        do {
            var pairs = [
                "id": record.profile.id.description,
                "address": record.profile.address.lookup,
                "user": record.profile.user,
            ]
            pairs["key"] = record.profile.keyReference
            pairs["removed"] = record.removedAt.map { String($0) }
            if record.isDefault { pairs["default"] = "yes" }
            return RecordDraft(
                id: try RecordID(host, name),
                attributes: try Attributes(pairs),
                body: try Secret(copying: try record.content())
            )
        } catch {
            throw VaultError(error)
        }
    }

    /// The record of a host profile.
    static func host(_ record: Record) throws(VaultError) -> HostRecord {
        do throws(SSHFormatError) {
            return try HostRecord(content: record.body.withBytes { $0.copied() })
        } catch {
            throw .ssh(.format(error))
        }
    }

    /// One of the records of known hosts.
    static func draft(of content: [UInt8], at place: HostKeyPlace) throws(VaultError) -> RecordDraft {
        do {
            return RecordDraft(id: try RecordID(hostKey, place.name), body: try Secret(copying: content))
        } catch {
            throw VaultError(error)
        }
    }

    /// What lists and searches need, so that no secret is opened for them.
    private static func attributes(of record: KeyRecord) throws -> Attributes {
        let key = record.publicKey
        var pairs: [(name: String, value: [UInt8])] = []
        func add(_ name: String, _ value: String) { pairs.append((name, Array(value.utf8))) }
        add("fingerprint", key.fingerprint.description)
        add("type", key.algorithm.name)
        add("state", "\(record.state)")
        add("origin", "\(record.origin)")
        if let bits = key.bits { add("bits", String(bits)) }
        if !key.comment.isEmpty {
            pairs.append(("comment", Array(key.comment.prefix(longestComment))))
        }
        if key.blob.count <= RecordLimits.attributeValue { pairs.append(("public", key.blob)) }
        if let time = record.removedAt { add("removed", String(time)) }
        if let time = record.retiredAt { add("retired", String(time)) }
        if record.use.needsConfirmation { add("confirm", "yes") }
        if record.use.lifetime > 0 { add("lifetime", String(record.use.lifetime)) }
        if !record.use.hosts.isEmpty { add("only-for", record.use.hosts.joined(separator: ",")) }
        if !record.use.namespaces.isEmpty { add("sign", record.use.namespaces.joined(separator: ",")) }
        if !record.certificates.isEmpty { add("certificates", String(record.certificates.count)) }
        if let time = record.certificateEnd { add("certificate-end", String(time)) }
        return try Attributes(bytes: pairs)
    }
}
