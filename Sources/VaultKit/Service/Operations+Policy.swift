internal import VaultPolicy

extension Operations {
    /// The audit log and the rules of the policy.
    static var policy: [any AnyOperation] { [rules, addRule, removeRule, auditEntries, checkAudit] }

    static let rules = Operation("rules", .look) { (vault: isolated Vault) throws(VaultError) in
        try vault.rules()
    }
    static let addRule = Operation("rule.add", .change) {
        (vault: isolated Vault, rule: Rule) throws(VaultError) -> Nothing in
        try vault.addRule(rule)
        return Nothing()
    }
    static let removeRule = Operation("rule.remove", .change) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.removeRule(name)
    }
    static let auditEntries = Operation("audit.list", .look) {
        (vault: isolated Vault, query: AuditQuery) throws(VaultError) in try vault.auditEntries(query)
    }
    static let checkAudit = Operation("audit.check", .look) { (vault: isolated Vault) throws(VaultError) in
        try vault.checkAudit()
    }
}

extension Rule: OneCallSubject {
    var callSubject: String? { name }
}
