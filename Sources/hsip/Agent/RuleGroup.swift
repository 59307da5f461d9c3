internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Text
internal import VaultKit
internal import VaultPolicy

/// `hsip agent rule`: the rules by which the agent allows, asks and refuses.
struct RuleGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Manage what the agent allows, asks about or refuses.",
        discussion: """
            All conditions of a rule must match; the strictest matching rule wins. Changes to rules or trusted \
            hosts need --kind decide. each asks at every use.
            """,
        subcommands: [RuleList.self, RuleAdd.self, RuleRemove.self]
    )

    /// No column may be omitted: a rule without one of its conditions would look like another rule.
    static let columns = [
        "rule", "effect", "kind", "subject", "program", "host", "namespace", "until", "inside", "owner",
        "schema", "user", "via",
    ].map { Column($0, .left, .whole) }

    /// Returns the row of a rule.
    static func cells(_ rule: Rule, _ context: Context) -> [Cell] {
        let display = context.output.display
        let texts = [rule.subject, rule.program, rule.host, rule.namespace]
        let end = rule.expires.map { Int64(clamping: $0) }
        return [Cell(rule.name), Cell(rule.effect.rawValue), Cell(rule.kind?.rawValue ?? "")]
            + texts.map { Cell(own: $0 ?? "", display) }
            + [
                end.map { Cell(Times.moment($0, now: context.now), value: Times.rfc3339($0)) } ?? Cell("")
            ]
            + [rule.inside, rule.owner, rule.schema, rule.user, rule.via].map { Cell(own: $0 ?? "", display) }
    }
}

/// `hsip agent rule list`.
struct RuleList: Command {
    static let path = "agent rule list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the rules.",
        discussion: """
              hsip agent rule list
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let rules = try await vault(Operations.rules)
        let rows = rules.map { RuleGroup.cells($0, context) }
        // For people, an empty column of conditions is left out; scripts get all columns.
        let isShown = RuleGroup.columns.indices.map { index in
            index < 2 || !context.console.outputIsTerminal || rows.contains { !$0[index].shown.isEmpty }
        }
        func kept<T>(_ all: [T]) -> [T] { zip(all, isShown).filter { $0.1 }.map { $0.0 } }
        var table = Table(kept(RuleGroup.columns))
        for row in rows { table.add(kept(row)) }
        try context.list(table, empty: "no rules; the agent decides by its built-in table")
        try context.output.succeed(["rules": .list(rules.map { .rule($0) })])
    }
}

/// `hsip agent rule rm NAME`.
struct RuleRemove: Command {
    static let path = "agent rule rm"
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove a rule.",
        discussion: """
              hsip agent rule rm backup
            """
    )

    @Argument(help: "The rule.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let rule = try await vault(Operations.removeRule, name)
        context.output.say("Rule \(rule.name) removed.")
        try context.output.succeed(["rule": .rule(rule)])
    }
}

extension JSONValue {
    /// Returns a rule (Schemas/cli/rule.schema.json).
    static func rule(_ rule: Rule) -> JSONValue {
        [
            "name": .text(rule.name),
            "effect": .text(rule.effect.rawValue),
            "kind": .optional(rule.kind?.rawValue),
            "subject": .optional(rule.subject),
            "program": .optional(rule.program),
            "inside": .optional(rule.inside),
            "owner": .optional(rule.owner),
            "schema": .optional(rule.schema),
            "host": .optional(rule.host),
            "namespace": .optional(rule.namespace),
            "user": .optional(rule.user),
            "via": .optional(rule.via),
            "expiresAt": .time(rule.expires.map { Int64(clamping: $0) }),
        ]
    }
}

/// The reach of a new rule, for the person who adds it.
struct RuleReach {
    private let rule: Rule

    init(_ rule: Rule) { self.rule = rule }

    /// A short text for the line that confirms the rule.
    var words: String? { opened.map { "allows any known program to \($0.what)" } }

    /// The warning before a rule that gives every known program all secrets or keys; nil for other rules.
    var warning: String? {
        guard let opened else { return nil }
        let list = opened.options.dropLast().joined(separator: ", ") + " or " + (opened.options.last ?? "")
        return "Rule \(rule.name) lets every known program \(opened.what) without asking. "
            + "To limit the rule, add \(list)."
    }

    /// The acts that the rule allows for all programs, and the options that would limit it; nil if the rule has a
    /// limit.
    ///
    /// A rule about `use` allows nothing more, since the policy allows that without a rule. A rule about `raw` cannot
    /// allow.
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
