internal import RecordStore
package import SSHFormats
package import VaultPolicy

/// The facts that an agent needs to serve ssh, as of one moment; none of them is secret.
package struct SSHView: Sendable {
    /// The keys in use, by name.
    package internal(set) var keys: [KeySummary] = []
    /// The stored keys that are not in use, without keys in the trash.
    package internal(set) var idleKeys: [KeySummary] = []
    /// The certificates of `keys` by key name, as far as their CA has signed them.
    package internal(set) var certificates: [String: [PublicKey]] = [:]
    /// The host profiles by name, without those in the trash.
    package internal(set) var hosts: [HostSummary] = []
    /// All known hosts, history included.
    package internal(set) var hostKeys: [HostKeySummary] = []
    /// The rules of the policy about hosts.
    package internal(set) var hostRules: [Rule] = []
    /// Whether some host profiles are unreadable, so that their targets are unknown.
    package internal(set) var lacksHosts = false
    /// Changes whenever the facts may have changed.
    package internal(set) var number: UInt64 = 0

    /// The generation of the vault at which the view was read.
    var generation: UInt64 = 0
    var revisions: [String: [Revision]] = [:]

    /// An empty view.
    package init() {}
}

extension Vault {
    /// Reads the facts for ssh; blocks the caller's thread on the disk.
    ///
    /// Only changes since an earlier view are read. An unreadable key is listed without its certificates, and hides no
    /// other key.
    ///
    /// - Throws: the errors of the store, also for unreadable known hosts, because revocations could be
    ///   missing.
    package nonisolated func sshViewAtOnce(after previous: SSHView = SSHView()) throws(VaultError) -> SSHView
    {
        try reading { reader in
            guard reader.generation != previous.generation || previous.number == 0 else { return previous }
            var view = previous
            view.generation = reader.generation
            var isChanged = previous.number == 0
            for kind in [
                KeyRecord.recordKind, HostRecord.recordKind, HostKeyTransaction.kind, RuleTransaction.kind,
            ] {
                let (infos, damaged) = try infos(kind, reader, isWhole: kind == HostKeyTransaction.kind)
                // Revisions never repeat, so the lists also differ if two records exchanged their positions.
                let revisions = infos.map(\.revision) + damaged.map { _ in 0 }
                guard view.revisions[kind] != revisions else { continue }
                view.revisions[kind] = revisions
                isChanged = true
                switch kind {
                case KeyRecord.recordKind: readKeys(infos, reader, into: &view)
                case HostRecord.recordKind:
                    let profiles = try reader.hostProfiles()
                    view.hosts = profiles.all.filter { $0.removedAt == nil }
                    view.lacksHosts = profiles.isShort
                case RuleTransaction.kind:
                    // An unreadable rule makes the policy refuse everything elsewhere.
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

    /// A key with its secret; blocks the caller's thread on the disk.
    ///
    /// - Throws: `unknownKey`; `keyNotInUse`.
    package nonisolated func sshKeyAtOnce(_ name: String) throws(VaultError) -> KeyRecord {
        try reading { reader in
            let record = try reader.opened(KeyRecord.self, name, inTrash: true).content
            guard record.state == .active, !record.isRemoved else { throw SSHVaultError.keyNotInUse }
            return record
        }
    }

    private nonisolated func readKeys(
        _ infos: [RecordInfo],
        _ reader: any RecordReader,
        into view: inout SSHView
    ) {
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
    ) throws -> (records: [RecordInfo], damaged: [DamagedRecord]) {
        let kind = try RecordKind(kind)
        guard !isWhole else { return (try reader.list(kind), []) }
        let survey = try reader.survey(kind)
        return (survey.records, survey.damaged)
    }
}
