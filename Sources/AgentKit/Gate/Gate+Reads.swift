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
    func reads(_ call: VaultCall) throws(Refusal) -> [Act] {
        var names = OperationTable.subjects(of: call)
        // Whoever hears which of some are the same hears it of all others, too.
        if call.operation == "secret.check" { names = [""] }
        if Self.wholesale.contains(call.operation), names.contains("") {
            for name in try secretsOfRules() where !names.contains(name) { names.append(name) }
        }
        return names.map { .read(kind: call.operation, name: $0) }
    }

    /// Secrets of the vault, also in its trash, that a rule names to refuse them or to have them asked about.
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
            return subjects.filter { names.contains($0) }
        } catch {
            throw Refusal(error)
        }
    }
}
