internal import RecordStore
internal import SSHFormats
internal import Secrets
internal import VaultCrypto

/// Carries restrictions of keys and secrets that are newer than the copy.
extension Carrying {
    /// For a key in both vaults: the trash, the replacement, and the stricter of both conditions.
    static func keys(_ newer: any RecordReader, _ copy: any RecordReader) throws -> [Change] {
        let since = try newer.list(try RecordKind(KeyRecord.recordKind)).filter { !$0.isNewer }
        var changes: [Change] = []
        for info in try copy.list(try RecordKind(KeyRecord.recordKind)) where !info.isNewer {
            guard let twin = twin(of: info, in: since, alike: KeyRecord.identity),
                let new = try newer.find(twin.id), let old = try copy.find(info.id)
            else { continue }
            var key = try KeyRecord(body: old.body)
            guard key.narrow(by: try KeyRecord(body: new.body)) else { continue }
            let draft = try key.draft(named: info.id.name)
            changes.append(put(draft, over: info))
        }
        return changes
    }

    /// For a secret in both vaults: the trash, and the tag that keeps it on its machine.
    ///
    /// A secret whose record is unreadable in the newer vault stays as it is in the copy.
    static func secrets(_ newer: any RecordReader, _ copy: any RecordReader) throws -> [Change] {
        let since = try newer.survey(try RecordKind(Credential.recordKind)).records
            .filter { $0.attributes.removedAt != nil || CredentialSummary($0).isLocal }
        var changes: [Change] = []
        for info in try copy.list(try RecordKind(Credential.recordKind)) where !info.isNewer {
            guard let twin = twin(of: info, in: since), let old = try copy.find(info.id) else {
                continue
            }
            var credential = try Credential(body: old.body)
            let hides = CredentialSummary(twin).isLocal && !CredentialSummary(info).isLocal
            guard !credential.isRemoved && twin.attributes.removedAt != nil || hides else { continue }
            if !credential.isRemoved { credential.removedAt = twin.attributes.removedAt }
            if hides {
                try credential.setTags(
                    credential.tags.prefix(Credential.maximumTags - 1) + [SharedSecret.localTag]
                )
            }
            let draft = try credential.draft(named: info.id.name)
            changes.append(put(draft, over: info))
        }
        return changes
    }

    /// For a host profile in both vaults: whether it stays on its machine.
    static func profiles(_ newer: any RecordReader, _ copy: any RecordReader) throws -> [Change] {
        let kind = try RecordKind(HostRecord.recordKind)
        let since = try newer.survey(kind).records.filter { !$0.isNewer }
        var changes: [Change] = []
        for info in try copy.list(kind) where !info.isNewer {
            guard let twin = twin(of: info, in: since, alike: HostRecord.identity),
                let new = try newer.find(twin.id), let old = try copy.find(info.id),
                try HostRecord(body: new.body).isLocal
            else { continue }
            var host = try HostRecord(body: old.body)
            guard !host.isLocal else { continue }
            host.isLocal = true
            changes.append(put(try host.draft(named: info.id.name), over: info))
        }
        return changes
    }

    /// The same record in another vault, perhaps under another name; otherwise a record with an equal attribute.
    static func twin(
        of info: RecordInfo,
        in others: [RecordInfo],
        alike attribute: String? = nil
    ) -> RecordInfo? {
        if let same = others.first(where: { $0.uid == info.uid }) { return same }
        guard let attribute, let value = info.attributes[attribute] else { return nil }
        return others.first { $0.attributes[attribute] == value }
    }

    private static func put(_ draft: RecordDraft, over info: RecordInfo) -> Change {
        var draft = draft
        (draft.uid, draft.created) = (info.uid, info.created)
        return .put(draft, expecting: info.revision)
    }
}

extension KeyRecord {
    /// Adopts the stricter parts of a newer record of the same key; returns whether anything changed.
    fileprivate mutating func narrow(by newer: KeyRecord) -> Bool {
        let (wasRemoved, oldState, oldUse) = (removedAt, state, use)
        if removedAt == nil { removedAt = newer.removedAt }
        if state == .active, newer.state != .active {
            (state, retiredAt, related) = (newer.state, newer.retiredAt, newer.related)
        }
        use.narrow(by: newer.use)
        return removedAt != wasRemoved || state != oldState || use != oldUse
    }
}

extension KeyUse {
    /// Keeps only the uses that both allow; if they have no host in common, the hosts of the newer record.
    fileprivate mutating func narrow(by newer: KeyUse) {
        needsConfirmation = needsConfirmation || newer.needsConfirmation
        isLocal = isLocal || newer.isLocal
        if newer.lifetime > 0 { lifetime = lifetime > 0 ? min(lifetime, newer.lifetime) : newer.lifetime }
        // An empty list allows every host.
        if !newer.hosts.isEmpty {
            let common = hosts.filter(newer.hosts.contains)
            hosts = common.isEmpty ? newer.hosts : common
        }
        namespaces = namespaces.filter(newer.namespaces.contains)
    }
}
