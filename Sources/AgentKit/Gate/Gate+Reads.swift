internal import AgentProtocol
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

extension Gate {
    /// The operations that are about all secrets, whatever they name: they let them out, or tell which are the same
    /// as a guess.
    private static let wholesale: Set<String> = [
        "secret.export", "vault.export", "secret.check", "secret.import", "secret.import-trial",
        "vault.import",
        "vault.import-trial",
    ]

    /// What a call lets out, each to be judged by itself.
    ///
    /// What takes all secrets names none of them; but those that a rule names are among them, and the rule counts.
    ///
    /// - Throws: what a look at the rules or the vault refuses.
    func reads(_ call: VaultCall, _ subjects: [String]) throws(Refusal) -> [Act] {
        var names = subjects
        // Whoever hears which of some are the same hears it of all others, too.
        if call.operation == "secret.check" { names = [""] }
        if Self.wholesale.contains(call.operation), names.contains("") {
            for name in try secretsOfRules() where !names.contains(name) { names.append(name) }
        }
        return names.map { .read(kind: call.operation, name: $0) }
    }

    /// Whom or what a call is about: what it names, and who made what it brings.
    ///
    /// A message says by itself whose session opens it, so leaving the name out leaves no rule out.
    func subjects(of call: VaultCall) throws(Refusal) -> [String] {
        var names = OperationTable.subjects(of: call)
        let senders = OperationTable.senders(of: call)
        guard !senders.isEmpty else { return names }
        guard let open = state.withLock({ $0.open }) else { throw .locked }
        for sender in senders {
            do throws(VaultError) {
                let alias = try open.use { () throws(VaultError) in try open.vault.aliasAtOnce(of: sender) }
                guard let alias, !names.contains(alias) else { continue }
                names.append(alias)
            } catch {
                throw Refusal(error)
            }
        }
        return names.count > 1 ? names.filter { !$0.isEmpty } : names
    }

    /// What rules name to refuse it or to have it asked about, as far as there are such secrets in the vault or its
    /// trash: names, and folders.
    private func secretsOfRules() throws(Refusal) -> [String] {
        try refreshRules()
        let (open, rules) = state.withLock { ($0.open, $0.policy.rules) }
        guard let open else { throw .locked }
        let subjects = Set(rules.filter { $0.effect != .allow }.compactMap(\.subject)).sorted()
        guard !subjects.isEmpty else { return [] }
        do throws(VaultError) {
            let names = try open.use { () throws(VaultError) in
                try Blocking.wait { () async throws(VaultError) in
                    var removed = CredentialQuery()
                    removed.inTrash = true
                    return Set(
                        (try await open.vault.credentials() + open.vault.credentials(removed)).map(\.name)
                    )
                }
            }
            return subjects.filter { subject in
                names.contains(subject)
                    || Rule.isFolder(subject) && names.contains { Rule.subject(subject, fits: $0) }
            }
        } catch {
            throw Refusal(error)
        }
    }
}
