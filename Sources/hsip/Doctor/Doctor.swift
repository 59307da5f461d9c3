internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Setup
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip doctor`: finds problems, and shows the one command that helps.
struct Doctor: Command {
    static let path = "doctor"
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find problems and show how to fix them.",
        discussion: """
            The exit code is 0, or the code of the worst problem. Without --fix, nothing changes.

              hsip doctor
              hsip doctor --fix
            """
    )

    @Flag(help: "Fix problems, also a clock mark that is ahead; ask before each.")
    var fix = false
    @Flag(help: "Remove other users' access to the vault's files.")
    var fixPermissions = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        let machine = MachineChecks(
            environment: context.environment,
            console: context.console
        )
        var findings = machine.findings()
        let record = try? context.settledRecord(place)
        let files = FileChecks(place: place, isFile: record?.backend != .secretService)
        findings += try await treat(files.findings(), context)
        let about = context.checks(place, record)
        var outside = try await treat([RecordCheck(about).finding()], context)
        let keyring = KeyringChecks(about).findings()
        findings += try await treat(keyring, context)
        findings += try await treat(MoveChecks(about).findings(), context)
        if let setup = try? SetupKeyring.setup(place, context) {
            findings += try await treat(ProviderChecks(about, setup).findings(), context)
        }
        // If the vault may be in the unreachable keyring, doctor does not report that no vault exists.
        if record == nil, keyring.contains(where: { $0.code == ErrorName.unavailable.rawValue }) {
            outside.removeAll { $0.state == .notice }
        }
        // A wrong mode that another finding already names is not named twice.
        let isNamed = findings.contains { $0.check == .permissions && $0.state == .problem && !$0.isFixed }
        findings += outside.filter { !(isNamed && $0.check == .permissions) }
        if outside.allSatisfy({ $0.state == .ok || $0.isFixed }) {
            findings += try await inside(about, place, context)
        }
        if !context.globals.avoidsAgent, let paths = try? context.agentPaths() {
            findings += await AgentChecks(
                paths,
                version: ProductVersion.text,
                context.environment,
                context.output.display,
                connect: { try context.connectToAgent() }
            ).findings()
        }
        try show(findings.sorted { $0.state.rawValue < $1.state.rawValue }, context)
    }

    /// Fixes findings if possible and wanted.
    func treat(_ findings: [Finding], _ context: Context) async throws -> [Finding] {
        var treated: [Finding] = []
        for var finding in findings {
            if let remedy = finding.fix, try wants(finding, remedy, context) {
                context.hasChanged = true
                try await remedy.act()
                finding.isFixed = true
            }
            treated.append(finding)
        }
        return treated
    }

    private func wants(_ finding: Finding, _ remedy: Finding.Fix, _ context: Context) throws -> Bool {
        if fixPermissions, finding.check == .permissions { return true }
        guard fix else { return false }
        context.output.say("\(finding.message)")
        guard remedy.needsPerson else { return try context.agrees(remedy.question) }
        guard context.terminal.isAvailable else {
            // A notice may stay as it is, but a problem must not be reported as fixed.
            if finding.state == .notice { return false }
            throw Failure(
                .inputNeeded,
                "hsip asks about this fix at a terminal only; --yes does not answer",
                hint: "hsip doctor --fix  at a terminal"
            )
        }
        return try context.terminal.confirm(remedy.question)
    }
}

extension Context {
    /// Returns the facts about a vault for the checks.
    fileprivate func checks(_ place: VaultPlace, _ record: VaultRecord?) -> CheckContext {
        CheckContext(
            place: place,
            record: record,
            environment: environment,
            display: output.display,
            now: now,
            patience: patience,
            shown: { $0.text(self) },
            progress: { self.output.progress($0) }
        )
    }
}

extension Doctor {
    func show(_ findings: [Finding], _ context: Context) throws {
        let exit = findings.first { $0.state == .problem && !$0.isFixed }?.exit ?? 0
        for finding in findings {
            guard context.console.outputIsTerminal else {
                try context.output.line(Self.separated(finding, context.output.display))
                continue
            }
            try Self.print(finding, context.output)
        }
        context.exitStatus = exit
        try context.output.succeed([
            "findings": .list(findings.map(\.json)), "exit": .integer(Int64(exit)),
        ])
    }

    private static func print(_ finding: Finding, _ output: Output) throws(ConsoleError) {
        let word = finding.isFixed ? "fixed" : finding.state.word
        let indent = String(repeating: " ", count: 9)
        let head = output.style.paint(word, finding.isFixed ? .good : finding.state.tone)
        let gap = String(repeating: " ", count: indent.count - word.count)
        try output.sentence(head + gap + output.display.text(finding.message), indent: indent.count)
        guard finding.state != .ok, !finding.isFixed else { return }
        if let reason = finding.reason { try output.sentence(indent + output.display.text(reason)) }
        let arrow = output.console.isUTF8 ? "→ " : "> "
        if let hint = finding.hint {
            try output.sentence(indent + arrow + output.display.text(hint), indent: 2)
        }
    }

    /// Names from others are cleaned here too, since people also read piped output.
    private static func separated(_ finding: Finding, _ display: Display) -> String {
        [
            finding.check.rawValue, finding.state.word, finding.code ?? "", "\(finding.exit)",
            finding.message, finding.reason ?? "", finding.hint ?? "", finding.isFixed ? "fixed" : "",
        ].map { Table.escaped(display.text(Display.withoutIsolates($0))) }.joined(separator: "\t")
    }
}
