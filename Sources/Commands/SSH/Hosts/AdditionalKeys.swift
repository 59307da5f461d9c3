internal import Presentation
internal import SSHFormats

/// Chooses the additional keys of known hosts to import from a file: those whose fingerprints the user knows.
///
/// The trusted key in the same file proves nothing, because it is public: an attacker between `ssh-keyscan`
/// and the host can have added another key.
struct AdditionalKeys {
    /// The fingerprints from `--expect`; without any, the user is asked for them.
    let expected: [Fingerprint]
    let context: Context

    /// - Throws: `fingerprintDiffers` if a fingerprint belongs to no key of the file.
    func check(against file: KnownHostsFile) throws(Failure) {
        let found = expected.isEmpty ? [] : Set(file.hosts.map(\.key.plain.fingerprint))
        guard expected.allSatisfy(found.contains) else { throw Self.differs("no key of the file has") }
    }

    /// The lines that may be imported; a trial asks nothing, so it offers only lines with an `expected` fingerprint.
    func candidates(
        _ conflicts: [KnownHostsImport.Conflict],
        isTrial: Bool
    ) -> [KnownHostsImport.Conflict] {
        conflicts.filter { conflict in
            guard conflict.isAdditional else { return false }
            return expected.isEmpty ? !isTrial : expected.contains(conflict.offered.plain.fingerprint)
        }
    }

    /// The candidates whose fingerprint the user gave; Enter alone leaves a key out.
    ///
    /// - Throws: `inputNeeded` without a user to ask; `fingerprintDiffers`; then nothing is imported.
    func taken(of candidates: [KnownHostsImport.Conflict]) throws -> [KnownHostsImport.Conflict] {
        guard expected.isEmpty else { return candidates }
        var taken: [KnownHostsImport.Conflict] = []
        var asked: Set<Fingerprint> = []
        for candidate in candidates {
            let fingerprint = candidate.offered.plain.fingerprint
            guard asked.insert(fingerprint).inserted else { continue }
            let lines = candidates.filter { $0.offered.plain.fingerprint == fingerprint }
            let question = context.question(
                "To import this key, type the fingerprint you were given",
                after: KnownHostsReport.lines(lines, context)
            )
            let typed = try context.terminal.ask(question, flag: "--expect SHA256:…")
            guard !typed.isEmpty else { continue }
            guard try TypedFingerprint.read(typed) == fingerprint else {
                throw Self.differs("this key does not have")
            }
            taken += lines
        }
        return taken
    }

    private static func differs(_ what: String) -> Failure {
        Failure(
            .fingerprintDiffers,
            "\(what) the fingerprint that was expected; nothing was done",
            hint: "ssh-keygen -lf FILE  shows the file's fingerprints"
        )
    }
}
