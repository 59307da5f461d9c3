internal import Console
package import VaultKit
internal import VaultPolicy

/// Whether each rule of the policy fits something: one with a slip in it refuses nothing.
package enum RuleChecks {
    /// Nothing where there are no rules; rules that have ended are passed over.
    package static func findings(
        _ vault: any VaultService,
        now: Int64
    ) async -> [Finding] {
        let rules: [Rule]
        do {
            rules = try await vault.rules()
        } catch {
            return [.problem(.rules, Failures.explain(error))]
        }
        let living = rules.filter { $0.expires.map { Int64(clamping: $0) > now } ?? true }
        var found: [Finding] = []
        for rule in living {
            let complaints = await RuleFit(rule: rule, vault: vault).complaints { "“\($0)”" }
            guard !complaints.isEmpty else { continue }
            found.append(
                Finding(
                    check: .rules,
                    state: .warning,
                    message: "the rule \(rule.name) fits nothing: \(complaints.joined(separator: ", "))",
                    reason: "what it was made for is decided without it",
                    hint: "hsip agent rule rm \(rule.name)"
                )
            )
        }
        guard found.isEmpty, !living.isEmpty else { return found }
        return [.fine(.rules, "every rule of the agent fits something")]
    }
}
