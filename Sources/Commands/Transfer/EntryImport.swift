package import SSHFormats
package import Secrets
internal import System
package import VaultCrypto
package import VaultKit

/// An import of another program's entries: they are named, shown, and then stored in one commit.
package struct EntryImport {
    /// The number of entries above which the person is asked first.
    package static let many = 100

    /// An entry to import, with its preferred name.
    package struct Entry {
        let candidate: Candidate
        let name: String
        /// The parts of the entry that are not imported, or only as text.
        let leftOut: [OmittedPart]
    }

    /// The fields of an entry that describe its SSH key; the vault's key replaces them.
    private static let keyFields: Set<String> = [
        "privateKey", "publicKey", "keyFingerprint", "fingerprint", "keyType",
    ]

    let document: ImportDocument
    /// The entries to import, in the order of the batch.
    package private(set) var entries: [Entry] = []
    /// The SSH keys to import; the other fields of such an entry become an entry of their own.
    package private(set) var keys: [Entry] = []
    /// The entries that are not imported.
    package private(set) var refused: [RefusedEntry]
    private var bundle = VaultBundle()

    /// Makes credentials and keys of all entries that can become one.
    ///
    /// - Parameters:
    ///   - document: The entries read from another program's file.
    ///   - now: Unix seconds.
    ///   - readKey: Reads the text of an SSH key with this name; asks for a passphrase if the key has one.
    /// - Throws: `outOfMemory`; `interrupted` for a signal while `readKey` asks.
    package init(
        _ document: ImportDocument,
        now: UInt64,
        readKey: (Secret, _ name: String) throws -> KeyRecord
    ) throws {
        self.document = document
        refused = document.refused
        let maker = CandidateCredential(document: document, now: now)
        for candidate in document.candidates {
            do {
                if candidate.kind == .key {
                    try addKey(candidate, maker, readKey)
                } else {
                    try add(candidate, maker, candidate.leftOut)
                }
            } catch CredentialError.outOfMemory {
                throw CredentialError.outOfMemory
            } catch is CredentialError {
                refused.append(RefusedEntry(candidate.title, place: candidate.place, .tooLarge))
            }
        }
        refused.sort { $0.place < $1.place }
    }

    private mutating func add(
        _ candidate: Candidate,
        _ maker: CandidateCredential,
        _ leftOut: [OmittedPart]
    ) throws {
        var leftOut = leftOut
        let codes = candidate.fields.filter { $0.role == .oneTimePassword }
        for code in codes where (try? OneTimeKey(reading: try document.secret(code))) == nil {
            leftOut.append(.oneTimeKey)
            break
        }
        let name = CandidateName.of(candidate)
        try bundle.secrets.append(try maker.make(candidate), named: name)
        entries.append(Entry(candidate: candidate, name: name, leftOut: leftOut))
    }

    /// Adds an entry with an SSH key as a key of the vault; an unreadable key is kept as text.
    private mutating func addKey(
        _ candidate: Candidate,
        _ maker: CandidateCredential,
        _ readKey: (Secret, _ name: String) throws -> KeyRecord
    ) throws {
        let name = CandidateName.of(candidate)
        guard let field = candidate[.named("privateKey")] else {
            return try add(candidate, maker, candidate.leftOut)
        }
        let record: KeyRecord
        do {
            record = try readKey(try document.secret(field), name)
        } catch ProgramError.interrupted(let signal) {
            throw ProgramError.interrupted(signal: signal)
        } catch {
            return try add(candidate, maker, candidate.leftOut + [.sshKey])
        }
        try bundle.addKey(try record.content(), named: KeyName.made(from: name) ?? "key")
        keys.append(Entry(candidate: candidate, name: name, leftOut: candidate.leftOut))
        var rest = candidate
        rest.kind = .note
        rest.fields.removeAll { field in
            guard case .named(let name) = field.role else { return false }
            return Self.keyFields.contains(name)
        }
        // The outcome of the key reports the parts that are not imported.
        if !rest.fields.isEmpty { try add(rest, maker, []) }
    }

    /// Imports the entries, or reports what an import would do.
    ///
    /// - Returns: The outcomes of the entries and of the SSH keys.
    /// - Throws: The errors of the vault; then nothing is imported.
    package func take(
        into vault: any VaultService,
        _ rules: CredentialImportRules,
        isTrial: Bool
    ) async throws -> ([CredentialImportOutcome], VaultBundleOutcome?) {
        guard count > 0 else { return ([], nil) }
        guard keys.isEmpty else {
            let outcome = try await vault.takeBundle(bundle, rules, isTrial: isTrial)
            return (outcome.secrets, outcome)
        }
        return (try await vault.importCredentials(bundle.secrets, rules, isTrial: isTrial), nil)
    }

    /// The number of entries and keys to import.
    package var count: Int { entries.count + keys.count }
}
