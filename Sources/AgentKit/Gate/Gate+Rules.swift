internal import AgentProtocol
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

extension Gate {
    /// What rules name to refuse it or to have it asked about: names, and folders.
    ///
    /// Only those count that are in the vault or its trash. A call about all secrets is about these, too.
    ///
    /// - Throws: what a look at the rules or the vault refuses.
    func secretsOfRules() throws(Refusal) -> [String] {
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
