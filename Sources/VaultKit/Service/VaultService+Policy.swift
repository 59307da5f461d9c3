public import VaultPolicy

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// The rules of the policy, by name.
    public func rules() async throws -> [Rule] { try await perform(Operations.rules) }

    /// Adds a rule to the policy.
    public func addRule(_ rule: Rule) async throws { _ = try await perform(Operations.addRule, rule) }

    /// Removes a rule from the policy, and returns it.
    public func removeRule(_ name: String) async throws -> Rule {
        try await perform(Operations.removeRule, name)
    }

    /// The newest entries of the audit log that are wanted, the oldest first.
    public func auditEntries(_ query: AuditQuery) async throws -> [AuditRecord] {
        try await perform(Operations.auditEntries, query)
    }

    /// Checks the whole audit log.
    public func checkAudit() async throws -> AuditReport { try await perform(Operations.checkAudit) }
}
