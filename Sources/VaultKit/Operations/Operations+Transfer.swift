public import RecordStore
public import SSHFormats
public import Secrets
internal import VaultPolicy

extension Operations {
    /// The operations on exports and copies of vaults.
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
    // It has no log entry, because an entry would be a commit, and the vault would be newer than the copy. Only hsip may
    // have arbitrary files read.
    static let checkCopy = Operation.look("vault.check-copy") {
        (vault: isolated Vault, caller: Caller, path: String) in
        guard caller.isOwn else { throw VaultError.unknownOperation }
        return try vault.checkCopy(path)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Exports all secrets with their values, and SSH keys with their private halves.
    ///
    /// An agent asks one question for the whole export, unless it exceeds one call through the socket.
    ///
    /// - Parameters:
    ///   - history: whether to include earlier versions of secrets.
    ///   - names: the names of the keys; the exported keys have this order.
    /// - Returns: the export, and the records that were left out because they are unreadable.
    /// - Throws: the errors of the vault for any part.
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

    /// Imports an export of a vault into this vault, in one commit.
    public func takeBundle(
        _ bundle: VaultBundle,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) async throws -> VaultBundleOutcome {
        // A trial writes nothing, so it is an operation of its own.
        try await self(isTrial ? Operations.tryBundle : Operations.takeBundle, bundle, rules)
    }

    /// Reads a copy of the vault's file completely, with the keys of the open vault; changes and logs nothing.
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

/// The request of one export call; one call means one question to a person.
struct VaultExportStart: Codable, Sendable {
    /// The most SSH keys of one call: their records fit through an agent's socket beside a page of secrets.
    static let maximumKeys = 256

    /// The start of the page of secrets; nil for no secrets.
    let secrets: CredentialExportStart?
    /// The names of the SSH keys.
    let keys: [String]
}

/// The answer to one export call.
struct VaultExportPart: Codable, Sendable {
    let secrets: CredentialExportPage?
    /// The contents of the keys' records, in the order of their names.
    let keys: SecretPack
    /// The names of the keys that are left out because they are unreadable.
    var damagedKeys: [String] = []
}

extension Vault {
    /// Exports SSH keys with their private halves, and a page of secrets with their values.
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
