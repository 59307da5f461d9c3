public import VaultPolicy

extension Operations {
    /// The operations on the rules of the policy and on the audit log.
    static var policyOperations: [any AnyOperation] {
        [
            rules, addRule, removeRule, auditEntries, checkAudit,
        ]
    }

    /// Lists the rules of the policy, by name.
    public static let rules = Operation.look("rules") {
        (vault: isolated Vault, _: Caller) in
        try vault.rules()
    }
    /// Adds a rule to the policy.
    public static let addRule = Operation(
        "rule.add",
        .decidesLater("add the rule %1"),
        subjects: { rule in .named(rule.name).detailed(rule.facts) },
        audit: .rule
    ) {
        (vault: isolated Vault, _: Caller, rule: Rule) -> Nothing in
        try vault.addRule(rule)
        return Nothing()
    }
    /// Removes a rule from the policy, and returns it.
    public static let removeRule = Operation(
        "rule.remove",
        .decidesLater("remove the rule %1"),
        subjects: { name in .removedRule(name) },
        audit: .rule
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.removeRule(name)
    }
    /// Returns the newest entries of the audit log that match a query, the oldest first.
    public static let auditEntries = Operation.look("audit.list") {
        (vault: isolated Vault, _: Caller, query: AuditQuery) in
        try vault.auditEntries(query)
    }
    /// Checks the whole audit log.
    public static let checkAudit = Operation.look("audit.check") {
        (vault: isolated Vault, _: Caller) in
        try vault.checkAudit()
    }
}
