internal import RecordStore
package import SSHFormats
package import VaultPolicy

/// What an agent has to know of a vault to serve ssh, as of one moment; nothing secret is in it.
package struct SSHView: Sendable {
    /// The keys in use, by name.
    package internal(set) var keys: [KeySummary] = []
    /// The keys that are kept and not in use, those in the trash left out.
    package internal(set) var idleKeys: [KeySummary] = []
    /// The certificates of `keys` by their names, where there are any: those that their CA has signed.
    package internal(set) var certificates: [String: [PublicKey]] = [:]
    /// The host profiles by name, those in the trash left out.
    package internal(set) var hosts: [HostSummary] = []
    /// All known hosts, history included.
    package internal(set) var hostKeys: [HostKeySummary] = []
    /// The rules of the policy that are about hosts.
    package internal(set) var hostRules: [Rule] = []
    /// Whether there are host profiles that cannot be read: where they lead is not known.
    package internal(set) var lacksHosts = false
    /// Changes whenever what is shown may have changed.
    package internal(set) var number: UInt64 = 0

    /// The commit of the vault that was looked at.
    var generation: UInt64 = 0
    var revisions: [String: [Revision]] = [:]

    /// Nothing of any vault.
    package init() {}
}

extension Vault {
    /// What there is for ssh now, on the thread of the caller, which waits for the disk.
    ///
    /// Only what has changed since an earlier view is read again. A key that cannot be read is listed without its
    /// certificates, and hides no other.
    ///
    /// - Throws: what the store refuses; known hosts that cannot be read are an error, because what is revoked
    ///   could not be told any more.
    package nonisolated func sshViewAtOnce(after previous: SSHView = SSHView()) throws(VaultError) -> SSHView
    {
        try reading { (reader) throws(VaultError) in
            guard reader.generation != previous.generation || previous.number == 0 else { return previous }
            var view = previous
            view.generation = reader.generation
            var isChanged = previous.number == 0
            for kind in [
                KeyRecord.recordKind, HostRecord.recordKind, HostKeyTransaction.kind, RuleTransaction.kind,
            ] {
                let (infos, damaged) = try infos(kind, reader, isWhole: kind == HostKeyTransaction.kind)
                // Two records that changed places have other revisions, too: those never repeat.
                let revisions = infos.map(\.revision) + damaged.map { _ in 0 }
                guard view.revisions[kind] != revisions else { continue }
                view.revisions[kind] = revisions
                isChanged = true
                switch kind {
                case KeyRecord.recordKind: try readKeys(infos, reader, into: &view)
                case HostRecord.recordKind:
                    let profiles = try reader.hostProfiles()
                    view.hosts = profiles.all.filter { $0.removedAt == nil }
                    view.lacksHosts = profiles.isShort
                case RuleTransaction.kind:
                    // One that cannot be read stops everything elsewhere.
                    view.hostRules = infos.compactMap { Rule(named: $0.id.name, $0.attributes) }
                        .filter { $0.host != nil }
                default:
                    let book = try HostKeyTransaction(reader, now: now(), entropy: entropy).book
                    view.hostKeys = book.entries.compactMap { HostKeySummary($0) }
                }
            }
            if isChanged { view.number += 1 }
            return view
        }
    }

    /// A key with its secret, on the thread of the caller.
    ///
    /// - Throws: `unknownKey`; `keyNotInUse`.
    package nonisolated func sshKeyAtOnce(_ name: String) throws(VaultError) -> KeyRecord {
        try reading { (reader) throws(VaultError) in
            let record = try reader.opened(KeyRecord.self, name, inTrash: true).content
            guard record.state == .active, !record.isRemoved else { throw .ssh(.keyNotInUse) }
            return record
        }
    }

    private nonisolated func readKeys(
        _ infos: [RecordInfo],
        _ reader: any RecordReader,
        into view: inout SSHView
    ) throws(VaultError) {
        let all = infos.filter { !$0.isNewer }.map { KeySummary($0) }
        view.keys = all.filter(\.isInUse)
        view.idleKeys = all.filter { !$0.isInUse && $0.removedAt == nil }
        view.certificates = [:]
        for key in view.keys where key.certificates > 0 {
            let record = (try? reader.found(KeyRecord.self, key.name))?.content
            view.certificates[key.name] = record?.signedCertificates
        }
    }

    private nonisolated func infos(
        _ kind: String,
        _ reader: any RecordReader,
        isWhole: Bool
    ) throws(VaultError) -> (records: [RecordInfo], damaged: [DamagedRecord]) {
        do throws(StoreError) {
            let kind = try RecordKind(kind)
            guard !isWhole else { return (try reader.list(kind), []) }
            let survey = try reader.survey(kind)
            return (survey.records, survey.damaged)
        } catch {
            throw .store(error)
        }
    }
}
