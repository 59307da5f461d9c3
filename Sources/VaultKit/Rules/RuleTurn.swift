internal import RecordStore
internal import VaultCrypto
internal import VaultPolicy

/// The rules as they were in one snapshot, and what an act does to them.
struct RuleTurn: RecordTurn {
    private static let kind = "vault.rule"

    private(set) var rules: [String: Rule] = [:]
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
            // A newer program's rule may refuse what this one would allow.
            guard !info.isNewer, let rule = Rule(named: name, info.attributes) else {
                throw .rule(.damaged)
            }
            rules[name] = rule
        }
    }

    mutating func add(_ rule: Rule) throws(VaultError) {
        do throws(RuleError) {
            try rule.check()
        } catch {
            throw .rule(.bad(error))
        }
        guard rules[rule.name] == nil else { throw .rule(.nameTaken) }
        guard rules.count < Rule.most else { throw .rule(.tooMany) }
        added.append(rule)
    }

    mutating func remove(_ name: String) throws(VaultError) -> Rule {
        guard let rule = rules[name] else { throw .rule(.unknown) }
        removed.append(name)
        return rule
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
