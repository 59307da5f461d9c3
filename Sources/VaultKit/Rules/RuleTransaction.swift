internal import RecordStore
internal import VaultCrypto
public import VaultPolicy

/// The rules as they were in one snapshot, and what an act does to them.
struct RuleTransaction: RecordTransaction {
    static let kind = "vault.rule"
    /// The effect of a rule that refuses nothing and asks no one, as its attribute says it.
    static let allowing = Effect.allow.rawValue

    /// Bytes in the longest name of a rule.
    private static let longestName = 64

    private var rules: [String: Rule] = [:]
    let reader: any RecordReader
    private var added: [Rule] = []
    private var removed: [String] = []
    /// Rules that name something else now.
    private var changed: [String: Rule] = [:]
    private var infos: [String: RecordInfo] = [:]

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.reader = reader
        do throws(StoreError) {
            for info in try reader.list(try RecordKind(Self.kind)) { infos[info.id.name] = info }
        } catch {
            throw .store(error)
        }
        for (name, info) in infos {
            guard !info.isNewer else { continue }
            rules[name] = Rule(named: name, info.attributes)
        }
    }

    /// Every rule, by name.
    ///
    /// - Throws: `damaged` for one that cannot be read: it may refuse what the others allow.
    func all() throws(VaultError) -> [Rule] {
        guard rules.count == infos.count else { throw .rule(.damaged) }
        return rules.values.sorted { $0.name < $1.name }
    }

    /// Adds a rule under a name that no other one has.
    mutating func add(_ rule: Rule) throws(VaultError) {
        var rule = rule
        rule.subject = rule.subject.map { NameRules.normalized($0) }
        do throws(RuleError) {
            try rule.check()
        } catch {
            throw .rule(.bad(error))
        }
        guard infos[rule.name] == nil else { throw .rule(.nameTaken) }
        guard infos.count + added.count < Rule.maximum else { throw .rule(.tooMany) }
        added.append(rule)
    }

    /// The rules that can be read, by name.
    var readable: [Rule] { rules.values.sorted { $0.name < $1.name } }

    /// Lets a rule name something else, or a copy of it where it stays as well.
    mutating func put(
        _ name: String,
        as field: WritableKeyPath<Rule, String?>,
        in rule: Rule,
        keepsOld: Bool
    ) throws(VaultError) {
        var new =
            keepsOld || changed[rule.name] != nil ? rule.copied(as: freeName(like: rule.name)) : rule
        new[keyPath: field] = name
        if new.name != rule.name { return try add(new) }
        do throws(RuleError) {
            try new.check()
        } catch {
            throw .rule(.bad(error))
        }
        changed[rule.name] = new
    }

    private func freeName(like name: String) -> String {
        Self.freeName(like: name) { name in infos[name] != nil || added.contains { $0.name == name } }
    }

    /// The first of NAME-2, NAME-3 … that is not taken.
    static func freeName(like name: String, isTaken: (String) -> Bool) -> String {
        NumberedName.first(like: name, longest: longestName, isTaken: isTaken)
    }

    /// Removes a rule, also one that cannot be read.
    mutating func remove(_ name: String) throws(VaultError) -> Rule {
        guard infos[name] != nil else { throw .rule(.unknown) }
        removed.append(name)
        // Of one that cannot be read, only the name is known.
        return rules[name] ?? Rule(name: name, effect: .deny)
    }

    func changes() throws(VaultError) -> ChangeSet? {
        guard !added.isEmpty || !removed.isEmpty || !changed.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        do {
            for rule in added + changed.values.sorted(by: { $0.name < $1.name }) {
                changes.put(
                    RecordDraft(
                        id: try RecordID(Self.kind, rule.name),
                        attributes: try rule.attributes(),
                        // All of a rule can be searched for; the body says by which format.
                        body: try Secret(copying: [UInt8(1)])
                    ),
                    expecting: infos[rule.name]?.revision ?? 0
                )
            }
            for name in removed {
                changes.delete(try RecordID(Self.kind, name), expecting: infos[name]?.revision)
            }
        } catch {
            throw VaultError(error)
        }
        return changes
    }
}

extension Vault {
    /// The rules of the policy, by name; those that have ended included.
    ///
    /// - Throws: `rule(.damaged)`: with a rule that cannot be read, it is not known what is refused.
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

/// What the vault refuses about rules of its policy.
public enum RuleRefusal: Error, Equatable, Sendable, Codable {
    /// The rule itself.
    case bad(RuleError)
    /// Another rule has this name.
    case nameTaken
    /// No rule has this name.
    case unknown
    /// There are as many rules as a vault keeps.
    case tooMany
    /// A record of a rule that this program cannot read.
    case damaged
}
