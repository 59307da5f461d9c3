public import RecordStore
public import SSHFormats
public import Secrets
internal import VaultPolicy

extension Operations {
    /// Exports and copies of vaults.
    static var transferOperations: [any AnyOperation] {
        [
            exportPart, takeBundle, tryBundle, checkCopy,
        ]
    }

    private static let adding: ApprovalQuestion = "add secrets, keys and hosts to the vault"

    static let exportPart = Operation(
        "vault.export",
        .everything("read all passwords, tokens, notes and files of the vault"),
        when: { start in start.secrets != nil },
        otherwise: .values("read the private key %1"),
        subjects: { start in .named(start.keys) },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, start: VaultExportStart) in
        try vault.exportPart(start)
    }
    static let takeBundle = Operation(
        "vault.import",
        .both(.comparisonOfAll(adding), .decidesLater(adding)),
        subjects: { bundle, _ in CallSubjects.none.detailed(bundle.facts) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, bundle: VaultBundle, rules: CredentialImportRules)
        in
        try vault.takeBundle(bundle, rules)
    }
    static let tryBundle = Operation(
        "vault.import-trial",
        .comparisonOfAll("find out which secrets of the vault it knows"),
        audit: nil
    ) {
        (vault: isolated Vault, _: Caller, bundle: VaultBundle, rules: CredentialImportRules)
        in
        try vault.takeBundle(bundle, rules, isTrial: true)
    }
    // It is in no log: an entry would be a commit, and the vault newer than the copy that was just read. Only hsip has
    // files read that may be anything.
    static let checkCopy = Operation.look("vault.check-copy") {
        (vault: isolated Vault, caller: Caller, path: String) in
        guard caller.isOwn else { throw VaultError.unknownOperation }
        return try vault.checkCopy(path)
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// All secrets with their values, and SSH keys with their private halves.
    ///
    /// An agent asks about all of it at once, unless it is more than fits through its socket.
    ///
    /// - Parameters:
    ///   - history: whether the versions of secrets before the present ones come along.
    ///   - names: of the keys; the exported keys are in the order of these names.
    /// - Returns: the export, and which records were left out because they cannot be read.
    /// - Throws: what the vault refuses, of any of it.
    public func exportAll(
        history: Bool,
        sshKeys names: [String]
    ) async throws -> (
        secrets: CredentialBatch, keys: [(name: String, record: KeyRecord)], damaged: [DamagedRecord]
    ) {
        var (rest, keys) = (names[...], [(name: String, record: KeyRecord)]())
        var damaged: [DamagedRecord] = []
        var start: CredentialExportStart? = CredentialExportStart(
            history: history,
            inTrash: false,
            after: nil
        )
        var batch = CredentialBatch()
        while start != nil || !rest.isEmpty {
            let wanted = Array(rest.prefix(VaultExportStart.maximumKeys))
            rest = rest.dropFirst(wanted.count)
            let part = try await self(
                Operations.exportPart,
                VaultExportStart(secrets: start, keys: wanted)
            )
            for item in try part.secrets?.batch.items() ?? [] { try batch.append(item) }
            damaged += part.secrets?.damaged ?? []
            for name in part.damagedKeys {
                damaged.append(DamagedRecord(try RecordID(KeyRecord.recordKind, name), part: .body))
            }
            let sound = wanted.filter { !part.damagedKeys.contains($0) }
            let contents = try part.keys.secrets()
            guard contents.count == sound.count else { throw VaultError.malformedCall }
            for (name, content) in zip(sound, contents) {
                keys.append((name, try KeyRecord(content: content)))
            }
            start = part.secrets?.next.map { after in
                CredentialExportStart(history: history, inTrash: false, after: after)
            }
        }
        return (batch, keys, damaged)
    }

    /// Imports an export of a vault into this one, all of it in one commit.
    public func takeBundle(
        _ bundle: VaultBundle,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) async throws -> VaultBundleOutcome {
        // A trial writes nothing: it is an operation of its own.
        try await self(isTrial ? Operations.tryBundle : Operations.takeBundle, bundle, rules)
    }

    /// Reads a copy of the vault's file whole, with the keys of the open vault; nothing is changed or written down.
    ///
    /// - Parameter path: an absolute path.
    /// - Returns: a report on the copy.
    /// - Throws: `store`, as `CopyReading.readCopy`; `unknownOperation` if the vault is not a file.
    public func checkCopy(_ path: String) async throws -> CopyReport {
        switch try await self(Operations.checkCopy, path) {
        case .read(let report): return report
        case .unreadable(let error): throw VaultError.store(error)
        }
    }
}

/// The content of one export call; one call means one question to a person.
struct VaultExportStart: Codable, Sendable {
    /// The most SSH keys of one call: their records fit through an agent's socket beside a page of secrets.
    static let maximumKeys = 256

    /// The position where the secrets begin; nil for no secrets.
    let secrets: CredentialExportStart?
    /// The names of the SSH keys.
    let keys: [String]
}

/// The result.
struct VaultExportPart: Codable, Sendable {
    let secrets: CredentialExportPage?
    /// The contents of the keys' records, in the order of their names.
    let keys: SecretPack
    /// The names of the keys that are left out because they cannot be read.
    var damagedKeys: [String] = []
}

extension Vault {
    /// SSH keys with their private halves, and a page of secrets with their values.
    func exportPart(_ start: VaultExportStart) throws -> VaultExportPart {
        guard start.keys.count <= VaultExportStart.maximumKeys else {
            throw CredentialError.tooMuch(limit: VaultExportStart.maximumKeys)
        }
        var keys = SecretPack()
        var damaged: [String] = []
        for name in start.keys {
            do {
                try keys.append(try sshKey(name).record.content())
            } catch VaultError.store(.tampered(.record(let record))) {
                damaged.append(record.name ?? name)
            }
        }
        var page: CredentialExportPage?
        if let secrets = start.secrets { page = try exportPage(secrets) }
        return VaultExportPart(secrets: page, keys: keys, damagedKeys: damaged)
    }
}
