internal import RecordStore
internal import VaultCrypto
internal import VaultPolicy

/// The rules as they were in one snapshot, and what an act does to them.
struct RuleTurn: RecordTurn {
    private static let kind = "vault.rule"

    private var rules: [String: Rule] = [:]
    private let reader: any RecordReader
    private var added: [Rule] = []
    private var removed: [String] = []
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
        do throws(RuleError) {
            try rule.check()
        } catch {
            throw .rule(.bad(error))
        }
        guard infos[rule.name] == nil else { throw .rule(.nameTaken) }
        guard infos.count < Rule.most else { throw .rule(.tooMany) }
        added.append(rule)
    }

    /// Removes a rule, also one that cannot be read.
    mutating func remove(_ name: String) throws(VaultError) -> Rule {
        guard infos[name] != nil else { throw .rule(.unknown) }
        removed.append(name)
        // Of one that cannot be read, only the name is known.
        return rules[name] ?? Rule(name: name, effect: .deny)
    }

    func changes() throws(VaultError) -> ChangeSet? {
        guard !added.isEmpty || !removed.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        do {
            for rule in added {
                changes.put(
                    RecordDraft(
                        id: try RecordID(Self.kind, rule.name),
                        attributes: try rule.attributes(),
                        // All of a rule can be searched for; the body says by which format.
                        body: try Secret(copying: [UInt8(1)])
                    ),
                    expecting: 0
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
