internal import RecordStore
internal import VaultCrypto
public import VaultPolicy

extension Vault {
    /// The rules of the policy, by name; those that have ended included.
    ///
    /// - Throws: `rule(.damaged)`: with a rule that cannot be read, nobody knows what is refused.
    public func rules() throws(VaultError) -> [Rule] {
        try transact(RuleTransaction.self) { (rules) throws(VaultError) in try rules.all() }
    }

    /// Adds a rule to the policy.
    ///
    /// - Throws: `rule`: the rule means nothing, its name is taken, or there are too many.
    public func addRule(_ rule: Rule) throws(VaultError) {
        try transact(RuleTransaction.self) { (rules) throws(VaultError) in try rules.add(rule) }
    }

    /// Removes a rule from the policy, and returns it.
    ///
    /// - Throws: `rule(.unknown)`.
    public func removeRule(_ name: String) throws(VaultError) -> Rule {
        try transact(RuleTransaction.self) { (rules) throws(VaultError) in try rules.remove(name) }
    }
}
