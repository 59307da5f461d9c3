internal import Credentials
internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// Everything that an export can hold, in one snapshot and one commit.
struct BundleTurn: RecordTurn {
    private let floor: UInt64
    private var secrets: CredentialTurn
    private var keys: KeyTurn
    private var hosts: HostTurn
    private var hostKeys: HostKeyTurn

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        floor = reader.floor
        secrets = try CredentialTurn(reader, now: now, entropy: entropy)
        keys = try KeyTurn(reader, now: now, entropy: entropy)
        hosts = try HostTurn(reader, now: now, entropy: entropy)
        hostKeys = try HostKeyTurn(reader, now: now, entropy: entropy)
    }

    /// Finds the place for all of it.
    ///
    /// - Throws: what one of them refuses: then nothing is taken.
    mutating func take(
        _ bundle: VaultBundle,
        _ rules: CredentialImportRules
    ) throws(VaultError) -> VaultBundleOutcome {
        var outcome = VaultBundleOutcome()
        outcome.secrets = try secrets.take(bundle.secrets, rules)
        let names = try takeKeys(try bundle.keys(), &outcome)
        for host in bundle.hosts { outcome.hosts.append(try take(host, names)) }
        guard !bundle.knownHosts.isEmpty else { return outcome }
        let now = hostKeys.now
        let report = try hostKeys.act { (book) throws(SSHFormatError) in
            try book.take(KnownHostsFile(bundle.knownHosts), conflicts: .leave, at: now)
        }
        outcome.knownHosts = report.added
        outcome.conflicts = report.conflicts.count
        return outcome
    }

    func changes() throws(VaultError) -> ChangeSet? {
        let parts = [secrets.changes(), keys.changes(), try hosts.changes(), try hostKeys.changes()]
        let changes = parts.compactMap { $0?.changes }.flatMap { $0 }
        return changes.isEmpty ? nil : ChangeSet(floor: floor, changes: changes)
    }

    /// - Returns: Their names in this vault by those in the other one, where they can be used.
    private mutating func takeKeys(
        _ imports: [KeyImport],
        _ outcome: inout VaultBundleOutcome
    ) throws(VaultError) -> [String: String] {
        var placed: [Placed] = []
        var names: [String: String] = [:]
        for key in imports {
            let place = try keys.take(key, after: placed)
            placed.append(place)
            if !place.record.isRemoved { names[key.name] = place.name }
            let act: VaultBundleOutcome.Part.Act =
                !place.isNew ? .known : place.name == key.name ? .added : .renamed
            outcome.keys.append(.init(given: key.name, name: place.name, act: act))
        }
        hosts.arriving = Set(placed.filter(\.isNew).map(\.name))
        return names
    }

    /// A profile whose key stayed behind comes without it; one that is here already, or whose name is taken, is left.
    private mutating func take(
        _ host: NewHost,
        _ names: [String: String]
    ) throws(VaultError) -> VaultBundleOutcome.Part {
        let known = hosts.summaries.first { $0.profile.id == host.id }
        if let known { return .init(given: host.name, name: known.name, act: .known) }
        var host = host
        host.isDefault = false
        if let key = host.fields.keyReference {
            host.fields.keyReference = names[key]
            // A profile that logs in by key must name one.
            if names[key] == nil { host.fields.authentication = "password" }
        }
        do {
            let name = try hosts.add(host)
            return .init(given: host.name, name: name, act: .added)
        } catch .ssh(.hostNameTaken) {
            return .init(given: host.name, name: host.name, act: .nameTaken)
        }
    }
}
