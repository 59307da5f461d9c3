internal import RecordStore
internal import VaultCrypto
public import VaultPolicy

/// The rules of one snapshot with the changes made so far.
struct RuleTransaction: RecordTransaction {
    static let kind = "vault.rule"
    /// The value of the effect attribute of a rule that allows.
    static let allowing = Effect.allow.rawValue

    /// Bytes of the longest name of a rule.
    private static let longestName = 64

    private var rules: [String: Rule] = [:]
    let reader: any RecordReader
    private var added: [Rule] = []
    private var removed: [String] = []
    /// Rules whose subject, host or via was renamed.
    private var changed: [String: Rule] = [:]
    private var infos: [String: RecordInfo] = [:]

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        self.reader = reader
        for info in try reader.list(try RecordKind(Self.kind)) { infos[info.id.name] = info }
        for (name, info) in infos {
            guard !info.isNewer else { continue }
            rules[name] = Rule(named: name, info.attributes)
        }
    }

    /// Every rule, by name.
    ///
    /// - Throws: `damaged` for an unreadable rule, which may refuse what the others allow.
    func all() throws -> [Rule] {
        guard rules.count == infos.count else { throw RuleRefusal.damaged }
        return rules.values.sorted { $0.name < $1.name }
    }

    /// Adds a rule under a new name.
    ///
    /// - Throws: `rule`: the rule is invalid, its name exists, or there are too many.
    mutating func add(_ rule: Rule) throws {
        var rule = rule
        rule.subject = rule.subject.map { NameRules.normalized($0) }
        try rule.check()
        guard infos[rule.name] == nil else { throw RuleRefusal.nameTaken }
        guard infos.count + added.count < Rule.maximum else { throw RuleRefusal.tooMany }
        added.append(rule)
    }

    /// The readable rules, by name.
    var readable: [Rule] { rules.values.sorted { $0.name < $1.name } }

    /// Renames a field of a rule, or adds a renamed copy if the rule must also keep the old name.
    mutating func put(
        _ name: String,
        as field: WritableKeyPath<Rule, String?>,
        in rule: Rule,
        keepsOld: Bool
    ) throws {
        var new =
            keepsOld || changed[rule.name] != nil ? rule.copied(as: freeName(like: rule.name)) : rule
        new[keyPath: field] = name
        if new.name != rule.name { return try add(new) }
        try new.check()
        changed[rule.name] = new
    }

    private func freeName(like name: String) -> String {
        Self.freeName(like: name) { name in infos[name] != nil || added.contains { $0.name == name } }
    }

    /// The first free name among NAME-2, NAME-3 and so on.
    static func freeName(like name: String, isTaken: (String) -> Bool) -> String {
        NumberedName.first(like: name, longest: longestName, isTaken: isTaken)
    }

    /// Removes a rule, readable or not.
    mutating func remove(_ name: String) throws -> Rule {
        guard infos[name] != nil else { throw RuleRefusal.unknown }
        removed.append(name)
        // Only the name of an unreadable rule is known.
        return rules[name] ?? Rule(name: name, effect: .deny)
    }

    func changes() throws -> ChangeSet? {
        guard !added.isEmpty || !removed.isEmpty || !changed.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        for rule in added + changed.values.sorted(by: { $0.name < $1.name }) {
            changes.put(
                RecordDraft(
                    id: try RecordID(Self.kind, rule.name),
                    attributes: try rule.attributes(),
                    // All parts of a rule are searchable attributes; the body holds the number of their
                    // format.
                    body: try Secret(copying: [UInt8(1)])
                ),
                expecting: infos[rule.name]?.revision ?? 0
            )
        }
        for name in removed {
            changes.delete(try RecordID(Self.kind, name), expecting: infos[name]?.revision)
        }
        return changes
    }
}

extension Vault {
    /// The rules of the policy, by name; expired ones included.
    ///
    /// - Throws: `rule(.damaged)`: an unreadable rule may refuse anything.
    public func rules() throws(VaultError) -> [Rule] {
        try transact(RuleTransaction.self) { rules in try rules.all() }
    }

    /// Adds a rule to the policy.
    ///
    /// - Throws: `rule`: the rule is invalid, its name exists, or there are too many.
    public func addRule(_ rule: Rule) throws(VaultError) {
        try transact(RuleTransaction.self) { rules in try rules.add(rule) }
    }

    /// Removes a rule from the policy, and returns it.
    ///
    /// - Throws: `rule(.unknown)`.
    public func removeRule(_ name: String) throws(VaultError) -> Rule {
        try transact(RuleTransaction.self) { rules in try rules.remove(name) }
    }
}

/// The reasons why the vault refuses a rule of its policy.
public enum RuleRefusal: Error, Equatable, Sendable, Codable {
    /// The rule itself is invalid.
    case bad(RuleError)
    /// Another rule has this name.
    case nameTaken
    /// No rule has this name.
    case unknown
    /// The vault already has the most rules that it can keep.
    case tooMany
    /// This program cannot read a rule.
    case damaged
}
