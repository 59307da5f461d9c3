internal import Presentation
internal import Text
package import VaultKit
internal import VaultPolicy

/// The policy rules before something is renamed, to report afterwards how the new name affects them.
package struct RuleNames {
    /// The condition by which a rule names the renamed thing.
    package enum Condition: String {
        case subject, host
    }

    private let before: [Rule]
    private let vault: any VaultService
    private let condition: Condition

    package init(_ vault: any VaultService, by condition: Condition = .subject) async {
        (self.vault, self.condition) = (vault, condition)
        before = (try? await vault(Operations.rules)) ?? []
    }

    /// Reports the rules that cover the new name, and warns of the rules that covered only the old one.
    package func tell(_ old: String, _ new: String, _ context: Context) async {
        guard old != new, !before.isEmpty, let after = try? await vault(Operations.rules) else { return }
        let shown = context.output.display.name(new)
        for rule in after where covers(rule, new) {
            // A rule that the rename copied or changed named the old name before.
            let known = before.first { $0.name == rule.name }
            if let known, covers(known, new) {
                if !covers(known, old) {
                    context.output.note("the rule \(rule.name) now applies to \(shown), too")
                }
                continue
            }
            context.output.note("the rule \(rule.name) now names \(shown)")
        }
        for rule in before where rule.effect != .allow && covers(rule, old) {
            guard !after.contains(where: { $0.effect >= rule.effect && covers($0, new) }) else {
                continue
            }
            context.output.warn(
                Warning(
                    "ruleLeftBehind",
                    "the rule \(rule.name) does not apply to \(shown)",
                    hint:
                        "hsip agent rule add NAME \(rule.effect.rawValue) --\(condition) \(ShellWord.quoted(new))"
                )
            )
        }
    }

    /// Warns of the rules that ask or refuse by the name of a removed profile: they now cover only a host of that name.
    package func tellRemoved(_ name: String, _ address: String, _ context: Context) {
        for rule in before where rule.effect != .allow && covers(rule, name) {
            context.output.warn(
                Warning(
                    "ruleLeftBehind",
                    "the rule \(rule.name) names the profile \(name), which no longer leads to a host",
                    hint:
                        "hsip agent rule add NAME \(rule.effect.rawValue) --host \(ShellWord.quoted(address))"
                )
            )
        }
    }

    private func covers(_ rule: Rule, _ name: String) -> Bool {
        switch condition {
        case .subject: rule.subject.map { Rule.subject($0, fits: name) } ?? false
        case .host: rule.host?.lowercased() == name
        }
    }
}
