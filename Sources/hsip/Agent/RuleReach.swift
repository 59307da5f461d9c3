internal import VaultPolicy

/// How much a rule opens, for the person who adds it.
struct RuleReach {
    private let rule: Rule

    init(_ rule: Rule) { self.rule = rule }

    /// The same in a few words, for the line that says the rule was added.
    var words: String? {
        rule.effect == .allow && rule.kind == .read && (rule.subject ?? rule.program) == nil
            ? "allows any known program to read any secret" : nil
    }

    /// The warning before a rule that lets every known program read every secret; nil for any other rule.
    var warning: String? {
        guard words != nil else { return nil }
        return "Rule \(rule.name) lets every known program read every secret without asking. "
            + "To limit the rule, add --subject NAME or --program PATH."
    }
}
