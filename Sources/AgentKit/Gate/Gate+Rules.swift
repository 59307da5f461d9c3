internal import AgentProtocol
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

extension Gate {
    /// From now on, for some seconds, rules are read again each time: they may be changing.
    func doubtRules() {
        state.withLock { $0.doubted = BootTime.now() + 5 }
    }

    /// Reads the rules again if the vault has changed since they were read.
    func refreshRules() throws(Refusal) {
        let now = BootTime.now()
        let (open, known, isBelieved) = state.withLock { state in
            (
                state.open, state.generation,
                state.generation != nil && state.doubted <= now && now < state.looked + Self.cacheLifetime
            )
        }
        guard let open else { throw .locked }
        guard !isBelieved else { return }
        do {
            let generation = try open.generation()
            var rules: [Rule]?
            if generation != known {
                rules = try open.use { () throws(VaultError) in
                    try Blocking.wait { () async throws(VaultError) in try await open.vault.rules() }
                }
            }
            state.withLock { state in
                guard state.open === open else { return }
                if let rules { state.policy.rules = rules }
                (state.generation, state.looked) = (generation, now)
            }
        } catch {
            // With rules that cannot be read, it is not known what they refuse.
            throw Refusal(VaultError(gate: error))
        }
    }

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
