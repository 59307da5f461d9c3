internal import RecordStore
internal import SSHFormats
internal import Secrets
package import VaultPolicy

extension Vault {
    /// A thing to lease as the vault spells it, with the facts that show a later change.
    ///
    /// - Throws: `unknownName`, `inTrash` for a secret; `unknownKey`, `keyInTrash`, `keyNotInUse`, `unknownHostKey` for a login,
    ///   whose server has to have a key in the vault; `unknownItem`, `inTrash` for an item.
    package func leased(_ thing: LeasedThing) throws(VaultError) -> (LeasedThing, LeasedFacts) {
        switch thing {
        case .secret(let name):
            let name = NameRules.normalized(name)
            return (.secret(name: name), LeasedFacts(revision: try revision(of: .secret(name: name))))
        case .item: return (thing, LeasedFacts(revision: try revision(of: thing)))
        case .login(let key, let host):
            return try reading { (reader) throws(VaultError) in
                let info = try Self.keyInfo(key, reader)
                let facts = LeasedFacts(
                    revision: info.revision,
                    key: KeySummary(info).fingerprint,
                    hostKeys: try Self.keys(of: host, reader)
                )
                return (thing, facts)
            }
        }
    }

    /// The commit that wrote a leased thing last.
    ///
    /// - Throws: what `leased` throws.
    package func revision(of thing: LeasedThing) throws(VaultError) -> UInt64 {
        try reading { (reader) throws(VaultError) in
            switch thing {
            case .secret(let name):
                guard let info = try reader.info(Credential.self, name) else { throw .secret(.unknownName) }
                guard info.attributes.removedAt == nil else { throw .secret(.inTrash) }
                return info.revision
            case .login(let key, _): return try Self.keyInfo(key, reader).revision
            case .item(let id):
                do {
                    guard ItemRecord.isID(id), let info = try reader.info(RecordID(ItemRecord.kind, id))
                    else { throw VaultError.item(.unknownItem) }
                    guard try ItemRecord(info).removedAt == nil else { throw VaultError.item(.inTrash) }
                    return info.revision
                } catch {
                    throw VaultError(item: error)
                }
            }
        }
    }

    private static func keyInfo(_ name: String, _ reader: any RecordReader) throws(VaultError) -> RecordInfo {
        guard let info = try reader.info(KeyRecord.self, name) else { throw .ssh(.unknownKey) }
        let key = KeySummary(info)
        guard key.removedAt == nil else { throw .ssh(.keyInTrash) }
        guard key.isInUse else { throw .ssh(.keyNotInUse) }
        return info
    }

    /// The fingerprints of the keys that are trusted for a server, and of the authorities that speak for it.
    ///
    /// `host` is a name, the name of a profile, or a fingerprint.
    private static func keys(of host: String, _ reader: any RecordReader) throws(VaultError) -> Set<String> {
        if host.hasPrefix("SHA256:") { return [host] }
        let profile = try reader.hostProfiles().all.first {
            $0.name == host.lowercased() && $0.removedAt == nil
        }
        let name: HostName
        if let profile {
            name = profile.profile.lookupName
        } else {
            do throws(SSHFormatError) {
                name = try HostName(lookup: host)
            } catch {
                throw .ssh(.format(error))
            }
        }
        let names = [name] + [name.withoutPort].compactMap(\.self)
        // A hash that was imported, and by which ssh found no host so far, makes no server known.
        let trusted = try HostKeyLookup(reader, for: names).summaries.filter { line in
            line.isCurrent && line.host.marker != .revoked
                && (!line.host.names.isHashed || line.source != .imported || line.lastSeen != nil)
        }
        guard !trusted.isEmpty else { throw .ssh(.unknownHostKey) }
        return Set(trusted.map { $0.host.key.fingerprint.description })
    }
}
