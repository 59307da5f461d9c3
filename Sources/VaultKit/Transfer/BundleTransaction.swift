internal import RecordStore
internal import SSHFormats
public import Secrets
internal import VaultCrypto

/// The kinds of records that an export can contain, in one snapshot and one commit.
struct BundleTransaction: RecordTransaction {
    private let floor: UInt64
    private var secrets: CredentialTransaction
    private var keys: KeyTransaction
    private var hosts: HostTransaction
    private var hostKeys: HostKeyTransaction
    /// New or restored keys of the import, which a profile may name.
    private var arriving: Set<String> = []

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        floor = reader.floor
        secrets = try CredentialTransaction(reader, now: now, entropy: entropy)
        keys = try KeyTransaction(reader, now: now, entropy: entropy)
        hosts = try HostTransaction(reader, now: now, entropy: entropy)
        hostKeys = try HostKeyTransaction(reader, now: now, entropy: entropy)
    }

    /// Plans the import of a whole export.
    ///
    /// - Throws: the error of the first part that cannot be imported; then nothing is imported.
    mutating func take(_ bundle: VaultBundle, _ rules: CredentialImportRules) throws -> VaultBundleOutcome {
        var outcome = VaultBundleOutcome()
        outcome.secrets = try secrets.take(bundle.secrets, rules)
        let names = try takeKeys(try bundle.keys(), rules.takenKeys, &outcome)
        for host in bundle.hosts { outcome.hosts.append(try take(host, names, rules.takenHosts)) }
        guard !bundle.knownHosts.isEmpty else { return outcome }
        let now = hostKeys.now
        let report = try hostKeys.act { (book) throws(SSHFormatError) in
            try book.take(KnownHostsFile(bundle.knownHosts), conflicts: .leave, at: now)
        }
        outcome.knownHosts = report.added
        outcome.conflicts = report.conflicts.count
        return outcome
    }

    func changes() throws -> ChangeSet? {
        let parts = [
            try secrets.changes(), try keys.changes(), try hosts.changes(), try hostKeys.changes(),
        ]
        let changes = parts.compactMap { $0?.changes }.flatMap { $0 }
        return changes.isEmpty ? nil : ChangeSet(floor: floor, changes: changes)
    }

    var renamings: [Renaming] { secrets.renamings + keys.renamings + hosts.renamings }

    /// - Returns: The names of the usable keys in this vault, by their names in the export.
    private mutating func takeKeys(
        _ imports: [KeyImport],
        _ taken: CredentialImportRules.ExistingName,
        _ outcome: inout VaultBundleOutcome
    ) throws -> [String: String] {
        let rivals = try rivals(of: imports)
        // All old keys are retired first, because an old key that loses its name may be among the imported keys.
        if taken == .addVersion {
            for place in rivals.filter({ $0.value.state == .active }).keys.sorted() {
                _ = try keys.retire(imports[place].name, for: KeyTransaction.parts(of: imports[place]).key)
            }
        }
        var placed: [PlacedKey] = []
        var names: [String: String] = [:]
        for (place, key) in imports.enumerated() {
            let rival = rivals[place]
            if rival != nil, taken == .leave {
                outcome.keys.append(.init(given: key.name, name: key.name, act: .nameTaken))
                continue
            }
            let found = try keys.take(key)
            placed.append(found)
            names[key.name] = found.name
            let isUpdate = taken == .addVersion && rival?.state == .active
            let act: VaultBundleOutcome.Part.Act =
                found.isRestored
                ? .restored
                : !found.isNew ? .known : isUpdate ? .updated : found.name == key.name ? .added : .renamed
            outcome.keys.append(.init(given: key.name, name: found.name, act: act))
        }
        arriving = Set(placed.filter { $0.isNew || $0.isRestored }.map(\.name))
        return names
    }

    /// The existing keys with names of imported keys, by the index of the imported key.
    ///
    /// If two imported keys have the same name or fingerprint, only the first is considered.
    private mutating func rivals(of imports: [KeyImport]) throws -> [Int: KeySummary] {
        var rivals: [Int: KeySummary] = [:]
        var seen: Set<String> = []
        for (place, key) in imports.enumerated() {
            let fingerprint = KeyTransaction.parts(of: key).key.fingerprint.description
            guard seen.insert(fingerprint).inserted, seen.insert("name \(key.name)").inserted else {
                continue
            }
            rivals[place] = try keys.rival(of: key)
        }
        return rivals
    }

    /// Imports a host profile; drops its key if that was not imported.
    private mutating func take(
        _ host: NewHost,
        _ names: [String: String],
        _ taken: CredentialImportRules.ExistingName
    ) throws -> VaultBundleOutcome.Part {
        let given = host.name
        var host = host
        host.isDefault = false
        if let key = host.fields.keyReference {
            host.fields.keyReference = names[key]
            // A profile with a login by key must name a key.
            if names[key] == nil { host.fields.authentication = "password" }
        }
        var isInTrash = false
        if let id = host.id, let name = try hosts.name(of: id.description),
            let known = try hosts.readable(name)
        {
            isInTrash = known.isRemoved
            guard isInTrash else {
                return try update(name, by: host, given: given, if: taken == .addVersion)
            }
        }
        guard try hosts.isTaken(given.lowercased()) else {
            let name = try hosts.add(host, arriving: arriving)
            return .init(given: given, name: name, act: isInTrash ? .restored : .added)
        }
        switch taken {
        case .leave: return .init(given: given, name: given, act: .nameTaken)
        case .rename:
            host.name = try hosts.freeName(like: given.lowercased())
            return .init(given: given, name: try hosts.add(host, arriving: arriving), act: .renamed)
        case .addVersion: return try update(given.lowercased(), by: host, given: given, if: true)
        }
    }

    private mutating func update(
        _ name: String,
        by host: NewHost,
        given: String,
        if isWanted: Bool
    ) throws -> VaultBundleOutcome.Part {
        let isUpdate = isWanted ? try hosts.update(name, by: host, arriving: arriving) : false
        return .init(given: given, name: name, act: isUpdate ? .updated : .known)
    }
}

extension Vault {
    /// Imports an export of a vault in one commit, and reads it back.
    ///
    /// Existing records stay as they are; a key or host of equal identity is not stored twice.
    ///
    /// - Parameters:
    ///   - bundle: the export.
    ///   - rules: the treatment of a secret, a key or a host whose name exists.
    ///   - isTrial: whether to report the outcomes without writing anything.
    /// - Returns: the outcome of each secret, key and host, and the number of new lines of known hosts.
    /// - Throws: the error of the first part that cannot be imported; then nothing is imported.
    public func takeBundle(
        _ bundle: VaultBundle,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) throws(VaultError) -> VaultBundleOutcome {
        try transact(BundleTransaction.self, isTrial: isTrial) { all in
            try all.take(bundle, rules)
        }
    }
}
