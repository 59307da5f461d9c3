internal import ArgumentParser
internal import Commands
internal import Presentation
internal import SSHFormats
internal import Setup
internal import System
internal import Text
internal import VaultKit
internal import VaultPolicy

/// `hsip agent rule add NAME allow|ask|each|deny`.
struct RuleAdd: Command {
    static let path = "agent rule add"
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a rule: what to allow, ask about or refuse.",
        discussion: """
            How rules work together: hsip agent rule --help
              hsip agent rule add way allow --kind login --subject w --user u --host web \\
                --via jump --for 30d
            """
    )

    @Argument(help: "The rule's name: a–z, 0–9 and dashes.")
    var name: String

    @Argument(help: "What to do.")
    var effect: EffectWord

    @Option(help: "Only acts of this kind.")
    var kind: Kind?

    @Option(
        help: ArgumentHelp(
            "Only this name ('ci/*'), key fingerprint or item id.",
            valueName: "name"
        )
    )
    var subject: String?

    @Option(
        help: ArgumentHelp(
            "Only this program: its path, flatpak:NAME, snap:NAME.",
            valueName: "path"
        )
    )
    var program: String?

    @Option(
        help: ArgumentHelp(
            "Only what this path or unit:NAME started; never allows.",
            valueName: "path"
        )
    )
    var inside: String?

    @Option(
        help: ArgumentHelp(
            "Only items of this path, flatpak:NAME or snap:NAME.",
            valueName: "program"
        )
    )
    var owner: String?

    @Option(help: ArgumentHelp("Only items whose attribute xdg:schema is this.", valueName: "name"))
    var schema: String?

    @Option(
        help: ArgumentHelp(
            "Only logins to this server: name, profile or fingerprint.",
            valueName: "host"
        )
    )
    var host: String?

    @Option(help: ArgumentHelp("Only files signed in this namespace.", valueName: "name"))
    var namespace: String?

    @Option(help: ArgumentHelp("Only logins as this user; with --via.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("Only forwarded by this host; needs all of the example.", valueName: "host"))
    var via: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("End the rule after this time.", valueName: "span"))
    var span: String?

    /// The effects of a rule, as words.
    enum EffectWord: String, ExpressibleByArgument, CaseIterable {
        case allow, ask, each, deny
    }

    /// The kinds of acts, as people write them.
    struct Kind: ExpressibleByArgument {
        let kind: ActKind

        init?(argument: String) {
            guard let kind = ActKind(rawValue: argument) else { return nil }
            self.kind = kind
        }

        static var allValueStrings: [String] { ActKind.allCases.map(\.rawValue) }
    }

    func run(_ context: Context) async throws {
        guard let effect = Effect(rawValue: effect.rawValue) else { return }
        var rule = Rule(name: name, effect: effect)
        rule.kind = kind?.kind
        rule.subject = subject.map { Fingerprint.spelled($0) }
        rule.program = program
        rule.inside = inside
        rule.owner = owner
        rule.schema = schema
        rule.host = host.map { Fingerprint.spelledHost($0) }
        (rule.user, rule.via) = (user, via.map { Fingerprint.spelledHost($0) })
        rule.namespace = namespace
        if let span {
            guard let seconds = Durations.parse(span), (1...31_536_000).contains(seconds) else {
                throw Failure.usage(
                    "--for needs a duration of at most a year",
                    hint: "hsip agent rule add NAME allow --for 8h"
                )
            }
            rule.expires = UInt64(context.now + seconds)
        }
        let missing = rule.missingPartsOfRoute.map { "--\($0)" }
        guard effect != .allow || missing.isEmpty else {
            throw Failure(
                .badRule,
                "a rule with --via or --user also needs \(missing.joined(separator: " and "))",
                hint: "hsip agent rule add --help"
            )
        }
        do throws(RuleError) {
            try rule.check()
        } catch {
            throw VaultError.rule(.bad(error))
        }
        let reach = RuleReach(rule)
        if let opening = reach.warning { try confirm(opening, context) }
        let vault = try await context.openVault()
        _ = try await vault(Operations.addRule, rule)
        let added = "Rule \(rule.name) added" + (reach.words.map { ": \($0)" } ?? "")
        context.output.say("\(added). Undo: hsip agent rule rm \(rule.name)")
        let complaints = await RuleFit(rule: rule, vault: vault)
            .complaints { context.output.display.name($0) }
        for (place, text) in complaints.enumerated() {
            context.output.warn(
                Warning(
                    "ruleFitsNothing",
                    "rule \(rule.name) applies to nothing now: \(text)",
                    hint: place == complaints.count - 1 ? "hsip agent rule rm \(rule.name)" : nil
                )
            )
        }
        if effect == .ask || effect == .each { await context.warnIfAgentCannotAsk() }
        try context.output.succeed(["rule": .rule(rule)])
    }

    /// Asks a person at a terminal.
    ///
    /// If there is no terminal, the agent itself asks about every rule that allows.
    private func confirm(_ opening: String, _ context: Context) throws {
        guard context.terminal.isAvailable, !context.globals.saysYes else {
            return context.output.note(opening)
        }
        guard try context.terminal.confirm(context.question("Add this rule?", after: [opening])) else {
            throw ConsoleError.refused
        }
    }
}

extension Fingerprint {
    /// Normalises a host for rules: its fingerprint, or its name in lower case.
    static func spelledHost(_ text: String) -> String {
        let name = text.lowercased()
        return name.hasPrefix("sha256:") ? spelled(text) : name
    }

    /// Normalises a fingerprint for rules; any other text stays unchanged.
    fileprivate static func spelled(_ text: String) -> String {
        guard text.lowercased().hasPrefix("sha256:") else { return text }
        return Fingerprint("SHA256:" + text.dropFirst(7)).map { "\($0)" } ?? text
    }
}
