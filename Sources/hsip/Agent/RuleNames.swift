internal import Console
internal import SafeText
internal import VaultKit
internal import VaultPolicy

/// The rules of the policy before something gets another name: afterwards is said what that means for them.
struct RuleNames {
    private let before: [Rule]
    private let vault: any VaultService

    init(_ vault: any VaultService) async {
        self.vault = vault
        before = (try? await vault.rules()) ?? []
    }

    /// Says which rules cover it now, and warns of those that no longer do.
    func tell(_ old: String, _ new: String, _ context: Context) async {
        guard old != new, !before.isEmpty, let after = try? await vault.rules() else { return }
        let shown = context.output.display.name(new)
        for rule in after where Self.covers(rule, new) {
            // A copy, and one that follows, named the old name.
            let known = before.first { $0.name == rule.name }
            if let known, Self.covers(known, new) {
                if !Self.covers(known, old) {
                    context.output.note("the rule \(rule.name) covers \(shown), too")
                }
                continue
            }
            context.output.note("the rule \(rule.name) names \(shown) now")
        }
        for rule in before where rule.effect != .allow && Self.covers(rule, old) {
            guard !after.contains(where: { $0.effect >= rule.effect && Self.covers($0, new) }) else {
                continue
            }
            context.output.warn(
                Warning(
                    "ruleLeftBehind",
                    "the rule \(rule.name) does not cover \(shown)",
                    hint:
                        "hsip agent rule add NAME \(rule.effect.rawValue) --subject \(ShellWord.quoted(new))"
                )
            )
        }
    }

    private static func covers(_ rule: Rule, _ name: String) -> Bool {
        rule.subject.map { Rule.subject($0, fits: name) } ?? false
    }
}
