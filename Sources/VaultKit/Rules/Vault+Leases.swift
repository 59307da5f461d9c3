internal import RecordStore
internal import SSHFormats
internal import Secrets
package import VaultPolicy

extension Vault {
    /// Resolves a thing to lease to the vault's spelling, with the facts that show a later change.
    ///
    /// - Throws: `unknownName`, `inTrash` for a secret; `unknownKey`, `keyInTrash`, `keyNotInUse` for a login, and
    ///   `unknownHostKey` if the vault trusts no key of its server; `unknownItem`, `inTrash` for an item.
    package func leased(_ thing: LeasedThing) throws(VaultError) -> (LeasedThing, LeasedFacts) {
        switch thing {
        case .secret(let name):
            let name = NameRules.normalized(name)
            return (.secret(name: name), LeasedFacts(revision: try revision(of: .secret(name: name))))
        case .item: return (thing, LeasedFacts(revision: try revision(of: thing)))
        case .login(let key, let host):
            return try reading { reader in
                let info = try Self.keyInfo(key, reader)
                let (name, lines) = try server(host, reader)
                let isCertified = lines.contains { $0.host.marker == .authority }
                let facts = LeasedFacts(
                    revision: info.revision,
                    key: KeySummary(info).fingerprint,
                    hostKeys: Set(
                        lines.filter { $0.host.marker == nil }.map { $0.host.key.fingerprint.description }
                    ),
                    certifiedName: isCertified ? name?.lookup : nil
                )
                return (thing, facts)
            }
        }
    }

    /// The commit that last wrote a leased thing.
    ///
    /// - Throws: the errors of `leased`, except `unknownHostKey`.
    package func revision(of thing: LeasedThing) throws(VaultError) -> UInt64 {
        try reading { reader in
            switch thing {
            case .secret(let name):
                guard let info = try reader.info(Credential.self, name) else {
                    throw CredentialError.unknownName
                }
                guard info.attributes.removedAt == nil else { throw CredentialError.inTrash }
                return info.revision
            case .login(let key, _): return try Self.keyInfo(key, reader).revision
            case .item(let id):
                guard ItemRecord.isID(id), let info = try reader.info(RecordID(ItemRecord.kind, id))
                else { throw VaultError.item(.unknownItem) }
                guard try ItemRecord(info).removedAt == nil else { throw VaultError.item(.inTrash) }
                return info.revision
            }
        }
    }

    private static func keyInfo(_ name: String, _ reader: any RecordReader) throws -> RecordInfo {
        guard let info = try reader.info(KeyRecord.self, name) else { throw SSHVaultError.unknownKey }
        let key = KeySummary(info)
        guard key.removedAt == nil else { throw SSHVaultError.keyInTrash }
        guard key.isInUse else { throw SSHVaultError.keyNotInUse }
        return info
    }

    /// The trusted lines of a server, including lines of authorities.
    ///
    /// As in ssh, the name without its port is used only if the name with its port has no key.
    ///
    /// `host` is a name, the name of a profile, or a fingerprint.
    ///
    /// - Returns: the name under which the lines were found, nil for a fingerprint; and the lines.
    /// - Throws: `unknownHostKey` if no line is trusted.
    private func server(
        _ host: String,
        _ reader: any RecordReader
    ) throws -> (name: HostName?, lines: [HostKeySummary]) {
        guard !host.hasPrefix("SHA256:") else {
            let book = try HostKeyTransaction(reader, now: now(), entropy: entropy).book
            let lines = book.entries.compactMap { HostKeySummary($0) }.filter { line in
                Self.isTrusted(line) && line.host.marker == nil
                    && line.host.key.fingerprint.description == host
            }
            guard !lines.isEmpty else { throw SSHVaultError.unknownHostKey }
            return (nil, lines)
        }
        let profile = try reader.hostProfiles().all.first {
            $0.name == host.lowercased() && $0.removedAt == nil
        }
        let name = if let profile { profile.profile.lookupName } else { try HostName(lookup: host) }
        for candidate in [name] + [name.withoutPort].compactMap(\.self) {
            let lines = try HostKeyLookup(reader, for: [candidate]).summaries.filter(\.isCurrent)
            guard !lines.isEmpty else { continue }
            let trusted = lines.filter(Self.isTrusted)
            guard !trusted.isEmpty else { break }
            return (candidate, trusted)
        }
        throw SSHVaultError.unknownHostKey
    }

    /// Whether a line makes a server trusted; an imported line with a hashed name does so only after ssh matched it.
    private static func isTrusted(_ line: HostKeySummary) -> Bool {
        line.isCurrent && line.host.marker != .revoked
            && (!line.host.names.isHashed || line.isConfirmed)
    }
}
