package import SSHFormats
package import Secrets
internal import System
package import VaultCrypto
package import VaultKit

/// The way of other programs' entries into the vault: named, looked at, and taken in one commit.
package struct EntryImport {
    /// More than this is asked about first.
    package static let many = 100

    /// An entry that is on its way, under the name that it would like.
    package struct Entry {
        let candidate: Candidate
        let name: String
        /// What of it stays behind, or is kept as text only.
        let leftOut: [OmittedPart]
    }

    /// What an SSH key is in the fields of an entry; the vault keeps these as the key itself.
    private static let keyFields: Set<String> = [
        "privateKey", "publicKey", "keyFingerprint", "fingerprint", "keyType",
    ]

    let document: ImportDocument
    /// What is on its way, in the order of the batch.
    package private(set) var entries: [Entry] = []
    /// SSH keys that are on their way; what else such an entry says is an entry of its own.
    package private(set) var keys: [Entry] = []
    /// What stays behind.
    package private(set) var refused: [RefusedEntry]
    private var bundle = VaultBundle()

    /// Makes credentials and keys of all that can become one.
    ///
    /// - Parameters:
    ///   - document: What was read from the file of another program.
    ///   - now: Unix seconds.
    ///   - readKey: Reads the text of an SSH key that has this name; one with a passphrase is asked about.
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

    /// An SSH key becomes one of the vault's; one that cannot be read is kept as text.
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
        // What stays behind of it is said of the key.
        if !rest.fields.isEmpty { try add(rest, maker, []) }
    }

    /// Takes them, or says what would become of them.
    ///
    /// - Returns: What became of the entries, and with SSH keys of these, too.
    /// - Throws: What the vault refuses: then nothing is taken.
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

    /// How many entries and keys are on their way.
    package var count: Int { entries.count + keys.count }
}
