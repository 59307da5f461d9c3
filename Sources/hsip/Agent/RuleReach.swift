internal import VaultPolicy

/// How much a rule opens, for the person who adds it.
struct RuleReach {
    private let rule: Rule

    init(_ rule: Rule) { self.rule = rule }

    /// The same in a few words, for the line that says the rule was added.
    var words: String? { opened.map { "allows any known program to \($0.what)" } }

    /// The warning before a rule that lets every known program have every secret or use every key; nil for any other rule.
    var warning: String? {
        guard let opened else { return nil }
        let list = opened.options.dropLast().joined(separator: ", ") + " or " + (opened.options.last ?? "")
        return "Rule \(rule.name) lets every known program \(opened.what) without asking. "
            + "To limit the rule, add \(list)."
    }

    /// What all programs may do by the rule, and the options that would limit it; nil if the rule has a limit.
    ///
    /// A rule about `use` opens nothing more: the policy allows that without a rule. One about `raw` cannot allow.
    private var opened: (what: String, options: [String])? {
        guard rule.effect == .allow, let kind = rule.kind else { return nil }
        let ofItems = [("--owner PROGRAM", rule.owner), ("--schema NAME", rule.schema)]
        let (what, further): (String, [(option: String, value: String?)]) =
            switch kind {
            case .read: ("read every secret", [])
            case .login: ("log in with every SSH key", [("--host HOST", rule.host)])
            case .file: ("sign with every SSH key", [("--namespace NAME", rule.namespace)])
            case .certificate: ("sign certificates with every SSH key", [])
            case .decide: ("change rules, key conditions and trusted hosts", [])
            case .item: ("read the items of every program", ofItems)
            case .itemChange: ("change and delete the items of every program", ofItems)
            case .raw, .use: ("", [])
            }
        let limits = [("--subject NAME", rule.subject), ("--program PATH", rule.program)] + further
        guard !what.isEmpty, limits.allSatisfy({ $0.1 == nil }) else { return nil }
        return (what, limits.map(\.0))
    }
}
