internal import AgentProtocol
internal import RecordStore
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

extension Gate {
    /// Makes every decision of the next seconds read the rules again, since they may be changing.
    func doubtRules() {
        state.withLock { $0.doubted = BootTime.now() + 5 }
    }

    /// Reads the rules again if the vault has changed since they were read.
    func refreshRules() throws(Refusal) {
        let now = BootTime.now()
        let (open, known, isFresh) = state.withLock { state in
            (
                state.open, state.generation,
                state.generation != nil && state.doubted <= now && now < state.looked + Self.cacheLifetime
            )
        }
        guard let open else { throw .locked }
        guard !isFresh else { return }
        // If the rules cannot be read, it is unknown what they refuse.
        let generation: UInt64
        do throws(StoreError) { generation = try open.generation() } catch { throw Refusal(.store(error)) }
        var rules: [Rule]?
        if generation != known {
            rules = try fromVault(open) { (vault) async throws(VaultError) in try await vault.rules() }
        }
        state.withLock { state in
            guard state.open === open else { return }
            if let rules { state.policy.rules = rules }
            (state.generation, state.looked) = (generation, now)
        }
    }

    /// Returns the names and folders about which rules refuse or ask.
    ///
    /// Only names in the vault or its trash count. A call about all secrets is about these, too.
    ///
    /// - Throws: the errors of reading the rules or the vault.
    func secretsOfRules() throws(Refusal) -> [String] {
        try refreshRules()
        let rules = state.withLock { $0.policy.rules }
        let subjects = Set(rules.filter { $0.effect != .allow }.compactMap(\.subject)).sorted()
        guard !subjects.isEmpty else { return [] }
        let names = try fromVault { (vault) async throws(VaultError) in
            var removed = CredentialQuery()
            removed.inTrash = true
            return Set((try await vault.credentials() + vault.credentials(removed)).map(\.name))
        }
        return subjects.filter { subject in
            names.contains(subject)
                || Rule.isFolder(subject) && names.contains { Rule.subject(subject, fits: $0) }
        }
    }

    /// Runs a query on the open vault and waits for its result.
    ///
    /// - Parameters:
    /// - opened: the vault; nil for the currently open vault.
    /// - ask: the query.
    /// - Returns: the result.
    /// - Throws: `locked` if no vault is open; the error of the vault.
    func fromVault<R: Sendable>(
        _ opened: OpenVault? = nil,
        _ ask: @escaping @Sendable (Vault) async throws(VaultError) -> R
    ) throws(Refusal) -> R {
        guard let open = opened ?? state.withLock({ $0.open }) else { throw .locked }
        do throws(VaultError) {
            return try open.use { () throws(VaultError) in
                try Blocking.wait { () async throws(VaultError) in try await ask(open.vault) }
            }
        } catch {
            throw Refusal(error)
        }
    }
}
