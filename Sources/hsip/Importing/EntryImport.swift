internal import Console
internal import Credentials
internal import ImportFormats
internal import Programs
internal import VaultCrypto
internal import VaultKit

/// The way of other programs' entries into the vault: named, looked at, and taken in one commit.
struct EntryImport {
    /// More than this is asked about first.
    static let many = 100

    /// An entry that is on its way, under the name that it would like.
    struct Entry {
        let candidate: Candidate
        let name: String
    }

    let document: ImportDocument
    /// What is on its way, in the order of the batch.
    private(set) var entries: [Entry] = []
    /// What stays behind.
    private(set) var refused: [RefusedEntry]
    private(set) var batch = CredentialBatch()

    /// Makes credentials of all that can become one.
    ///
    /// - Parameter now: Unix seconds.
    init(_ document: ImportDocument, now: UInt64) throws {
        self.document = document
        refused = document.refused
        let maker = CandidateCredential(document: document, now: now)
        for candidate in document.candidates {
            let name = CandidateName.of(candidate)
            do {
                try batch.append(try maker.make(candidate), named: name)
                entries.append(Entry(candidate: candidate, name: name))
            } catch CredentialError.outOfMemory {
                throw CredentialError.outOfMemory
            } catch is CredentialError {
                refused.append(RefusedEntry(candidate.title, place: candidate.place, .tooLarge))
            }
        }
        refused.sort { $0.place < $1.place }
    }

    /// Takes them, or says what would become of them.
    ///
    /// - Throws: `refused` when the person says no; what the vault refuses: then nothing is taken.
    func take(
        into vault: any VaultService,
        _ rules: CredentialImportRules,
        isTrial: Bool,
        _ context: Context
    ) async throws -> [CredentialImportOutcome] {
        guard !entries.isEmpty else { return [] }
        if entries.count > Self.many, !isTrial, try !context.agrees("Import \(entries.count) entries?") {
            throw ConsoleError.refused
        }
        return try await context.output.working(isTrial ? "comparing…" : "importing…") {
            try await vault.importCredentials(batch, rules, isTrial: isTrial)
        }
    }
}
