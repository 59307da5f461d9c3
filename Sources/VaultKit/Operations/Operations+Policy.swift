public import Audit
public import VaultPolicy

extension Operations {
    /// The rules of the policy and the audit log.
    static var policyOperations: [any AnyOperation] {
        [
            rules, addRule, removeRule, auditEntries, checkAudit,
        ]
    }

    static let rules = Operation.look("rules") { (vault: isolated Vault) throws(VaultError) in
        try vault.rules()
    }
    static let addRule = Operation(
        "rule.add",
        .decidesLater("add the rule %1"),
        subjects: { rule in .named(rule.name).detailed(rule.facts) },
        audit: .rule
    ) {
        (vault: isolated Vault, rule: Rule) throws(VaultError) -> Nothing in
        try vault.addRule(rule)
        return Nothing()
    }
    static let removeRule = Operation(
        "rule.remove",
        .decidesLater("remove the rule %1"),
        subjects: { name in .removedRule(name) },
        audit: .rule
    ) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.removeRule(name)
    }
    static let auditEntries = Operation.look("audit.list") {
        (vault: isolated Vault, query: AuditQuery) throws(VaultError) in try vault.auditEntries(query)
    }
    static let checkAudit = Operation.look("audit.check") { (vault: isolated Vault) throws(VaultError) in
        try vault.checkAudit()
    }
}

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
