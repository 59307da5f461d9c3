package import AgentProtocol
package import Presentation
package import System
internal import Text
internal import VaultCrypto
package import VaultLifecycle

/// The environment of a command: its options, its two output streams, the person, and access to the vault.
package final class Context {
    package var globals: Globals
    package let output: Output
    package let terminal: Terminal
    package let environment: Environment
    package let console: ConsoleEnvironment
    /// The exit status if the command does not throw; only a command sets another than 0.
    package var exitStatus: Int32 = 0
    /// The keyring's part of the opened vault file, if the file has a key slot there.
    package var companion: KeyringCompanion?
    /// Whether the command has changed something; then a declined question does not mean "nothing changed".
    package var hasChanged = false
    /// The connection to the agent, once made, and the display of its questions.
    package var agent: AgentClient?
    var caller: TerminalCaller?
    /// Whether the agent asks at this terminal even if the user has chosen windows.
    package var asksHere = false
    /// The program that wants the vault open, if its user may not expect a question.
    package var purpose: String?

    package init(command: String, globals: Globals, environment: Environment = .process) {
        self.globals = globals
        self.environment = environment
        console = .current(environment)
        output = Output(
            command: command,
            mode: globals.mode,
            color: globals.color,
            console: console
        )
        terminal = Terminal(isAllowed: !globals.asksNothing, console: console)
    }

    package var isJSON: Bool { globals.mode.contains(.json) }

    /// True if a person reads along: stdin or stdout is a terminal, and questions are allowed.
    package var isInteractive: Bool {
        terminal.isAvailable && (console.inputIsTerminal || console.outputIsTerminal)
    }

    /// Cleans a contact's text for a terminal; leaves it unchanged in a pipe.
    package func shown(_ text: String) -> String {
        console.outputIsTerminal ? output.display.cell(text) : text
    }

    /// Asks y/N; `--yes` answers, and without a person to ask the exit code is 7.
    package func agrees(_ question: String) throws(ConsoleError) -> Bool {
        if globals.saysYes { return true }
        return try terminal.confirm(question)
    }

    /// A question after the lines that explain it; with `--quiet` or `--json` the lines become part of the
    /// question.
    ///
    /// With `isSaid` the lines were printed before.
    package func question(_ text: String, after lines: [String], isSaid: Bool = false) -> String {
        guard output.mode.isDisjoint(with: [.json, .quiet]) else {
            return (lines + [text]).joined(separator: "\n")
        }
        if !isSaid { for line in lines { output.say(line) } }
        return text
    }

    /// The present time in Unix seconds, for texts.
    package var now: Int64 { Times.now() }
}

extension Context {
    /// Warns if a setting needs questions that the running agent cannot ask.
    ///
    /// An unreachable or silent agent is not an error, because the setting is already made.
    package func warnIfAgentCannotAsk() async {
        guard !globals.avoidsAgent, let agent = try? connectToAgent(), let status = try? await agent.status(),
            status.questions == .nobody || status.questions == .console
        else { return }
        output.warn(
            Warning(
                "questionsUnheard",
                "the agent has no display and no terminal to ask you at, so it refuses what ssh asks for",
                hint: "hsip agent terminal"
            )
        )
    }
}

extension Context: Progress {
    /// Announces a slow step, and hides typed text while a key is derived between two questions.
    package func during<R, E: Error>(_ step: LifecycleStep, _ body: () throws(E) -> R) throws(E) -> R {
        guard let text = step.text else { return try body() }
        let mayBeTypedAt = step == .derivingKey && terminal.isAvailable && console.errorIsTerminal
        let echoOff = mayBeTypedAt ? EchoOff() : nil
        defer { echoOff?.end() }
        return try output.working(text, body)
    }
}

extension LifecycleStep {
    /// The announcement of a step; nil for a fast one.
    fileprivate var text: String? {
        switch self {
        case .derivingKey, .makingFile, .writingSlot: "deriving key…"
        case .copyingRecords: "moving the vault…"
        case .comparingRecords: "comparing…"
        case .backingUp: "copying…"
        case .rekeying: "encrypting all records again…"
        case .writingNote, .makingRoom, .claiming, .writingRecord: nil
        }
    }
}
